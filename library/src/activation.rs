//! What neural networks apply to each number.

use crate::{
    classes::{is_float, is_real},
    term::{Term, precise},
};
use iree_dsl_ir::op::{CompareOp, UnaryOp};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

/// 0 for what is negative, else the number. It is chosen, not the larger of two, whose derivative is ½ where both are
/// equal: that of `relu` is 0 at 0.
pub fn relu<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let x = x.of(is_real);
    x.compare(CompareOp::LessEqual, 0).choose(0, &x)
}

/// x · ½ (1 + erf (x / √2)).
pub fn gelu<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    precise([x.of(is_float)], |[x]| {
        let twice = (&x * FRAC_1_SQRT_2).apply(UnaryOp::Erf) + 1.0;
        x * 0.5 * twice
    })
}

/// x · ½ (1 + tanh u), which is x times the sigmoid of 2u, with u = √(2/π) (x + 0.044715 x³).
pub fn gelu_tanh<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    precise([x.of(is_float)], |[x]| {
        let cubic = &x * &x * &x * 0.044_715 + &x;
        let argument = cubic * (SQRT_2 * FRAC_2_SQRT_PI);
        x * argument.apply(UnaryOp::Sigmoid)
    })
}

/// The number times its sigmoid.
pub fn silu<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    precise([x.of(is_float)], |[x]| &x * x.apply(UnaryOp::Sigmoid))
}

/// ln (1 + eˣ), with x taken out if it is positive, so that nothing overflows. Each side is smooth, so that
/// derivatives of any order are right at 0 too.
pub fn softplus<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    precise([x.of(is_float)], |[x]| {
        let positive = x.compare(CompareOp::GreaterEqual, 0.0);
        let rest = positive.choose(-&x, &x).apply(UnaryOp::Exp);
        positive.choose(&x, &x.like(0.0)) + rest.apply(UnaryOp::Ln1p)
    })
}
