//! Powers and the cubic root.

use super::{
    double_word::DoubleWord,
    formula::Unary,
    logarithm::{parts, split},
    number::Number,
    rounding::floor,
};
use iree_dsl_ir::op::UnaryOp;
use std::f64::consts::LN_2;

/// The operations of the representation that have a formula here.
pub(super) const FORMULAS: &[Unary] = &[Unary::real(UnaryOp::Cbrt, cbrt)];

/// A number to the power of another, as C's `pow` and Rust's `powf` have it: eʸ ˡⁿ ˣ, with the logarithm in
/// twice the precision, since the exponential makes its error as many times larger as it is large.
pub(super) fn power<'m, 'c, 'b>(
    x: &Number<'m, 'c, 'b>,
    y: &Number<'m, 'c, 'b>,
) -> Number<'m, 'c, 'b> {
    let base = x.abs();
    let logarithm = base.ln();
    // What is not finite here, or far from it, needs no precision.
    let rough = y * &logarithm;
    let fine = logarithm.is_finite() & rough.abs().is_less(x.format().bias as f64);
    let exponent = ln(&fine.choose(&base, &x.like(1.0))).scale(&fine.choose(y, &x.like(1.0)));
    // The root of the power is finite where the power is almost infinite.
    let root = (exponent.upper * 0.5).exp();
    let power = (&root + &root * exponent.lower) * &root;
    let size = fine.choose(power, &rough.exp());
    let one = base.equals(1.0) & y.equals(y) | y.equals(0.0);
    let size = one.choose(1.0, &size);
    let result = with_sign(x, y, &size);
    (x.equals(1.0) | y.equals(0.0)).choose(1.0, &result)
}

/// Odd powers have the sign of the base; other powers of negative numbers than integers are none.
fn with_sign<'m, 'c, 'b>(
    x: &Number<'m, 'c, 'b>,
    y: &Number<'m, 'c, 'b>,
    size: &Number<'m, 'c, 'b>,
) -> Number<'m, 'c, 'b> {
    let is_integer = floor(y).equals(y);
    let half = y * 0.5;
    let odd = &is_integer & floor(&half).differs(&half);
    let undefined = x.is_less(0.0) & x.is_greater(f64::NEG_INFINITY) & !&is_integer;
    let undefined = undefined & y.equals(y);
    let signed = size.negate_where(&(odd & x.is_negative()));
    undefined.choose(f64::NAN, &signed)
}

/// The natural logarithm of a positive number in twice the precision: with x = m·2ᵉ and
/// s = (m - 1) / (m + 1), e ln 2 + 2 (s + s³/3 + s⁵/5 + …).
fn ln<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> DoubleWord<'m, 'c, 'b> {
    let (significand, exponent) = parts(x);
    let s = DoubleWord::quotient(&(&significand - 1.0), &DoubleWord::sum(&significand, 1.0));
    let square = s.times(&s);
    let mut tail = x.like(0.0);
    for odd in (5..=TERMS).rev().step_by(2) {
        tail = tail * &square.upper + 1.0 / f64::from(odd);
    }
    let third = DoubleWord::constant(1.0 / 3.0, x);
    let tail = third.add(&(tail * &square.upper));
    let series = square.times(&tail).times(&s).add_word(&s).doubled();
    let (upper, lower) = split(LN_2, x);
    let sum = DoubleWord::sum(&(&exponent * upper), &series.upper);
    sum.add(&(series.lower + exponent * (lower + LN_2_BELOW)))
}

/// What ln 2 has below the precision of `f64`.
const LN_2_BELOW: f64 = 2.319_046_813_846_299_6e-17;

/// The last term of the series; s is at most 3 - 2√2.
const TERMS: u32 = 21;

/// The cubic root: an estimate, made better by one step of Newton's method.
pub(super) fn cbrt<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let size = x.abs();
    let estimate = (size.ln() * (1.0 / 3.0)).exp();
    let root = &estimate - (&estimate - &size / (&estimate * &estimate)) * (1.0 / 3.0);
    let ordinary = size.is_finite() & size.is_greater(0.0);
    ordinary.choose(root.negate_where(&x.is_negative()), x)
}
