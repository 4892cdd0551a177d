//! Powers, products and what keeps numbers in bounds.

use crate::{
    classes::{is_float, is_fractional, is_number, is_real},
    term::{Term, precise},
};
use iree_abi::DTypeClass;
use iree_dsl_ir::op::{BinaryOp, CompareOp, UnaryOp};

/// One divided by the number.
pub fn recip<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let x = x.of(is_fractional);
    x.like(1.0) / x
}

/// One divided by the square root.
pub fn rsqrt<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    precise([x.of(is_fractional)], |[x]| x.like(1.0) / x.sqrt())
}

/// The power to an integer, by repeated squaring. That of an integer is not negative.
pub fn powi<'x, V: Clone>(x: &Term<'x, V>, exponent: i128) -> Term<'x, V> {
    precise([x.of(is_number)], |[x]| {
        let count = exponent.unsigned_abs();
        match exponent < 0 {
            // At 0, the derivative of the power of the reciprocal is that of the function, and not 0 by 0.
            true if x.is_derived() => positive_power(&(x.like(1) / &x), count),
            true => x.like(1) / positive_power(&x, count),
            false => positive_power(&x, count),
        }
    })
}

fn positive_power<'x, V: Clone>(x: &Term<'x, V>, exponent: u128) -> Term<'x, V> {
    let mut result: Option<Term<'x, V>> = None;
    let (mut square, mut rest) = (x.clone(), exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = Some(match result {
                Some(product) => product * &square,
                None => square.clone(),
            });
        }
        rest >>= 1;
        if rest > 0 {
            square = &square * &square;
        }
    }
    result.unwrap_or_else(|| x.like(1))
}

/// The power; of complex numbers eʸ ˡⁿ ˣ.
pub fn powf<'x, V: Clone>(x: &Term<'x, V>, y: &Term<'x, V>) -> Term<'x, V> {
    let x = x.of(is_fractional);
    if !x.dtype().is_complex() {
        return x.with(BinaryOp::Power, y);
    }
    let power = (y * x.apply(UnaryOp::Ln)).apply(UnaryOp::Exp);
    let zero = x.compare(CompareOp::Equal, 0);
    let one = y.compare(CompareOp::Equal, 0);
    one.choose(1, &zero.choose(0, &power))
}

/// √(x² + y²), from the ratio of the shorter to the longer side, so that no square overflows.
pub fn hypot<'x, V: Clone>(x: &Term<'x, V>, y: &Term<'x, V>) -> Term<'x, V> {
    precise([x.of(is_float), y.clone()], |[x, y]| {
        let is_second = x.abs().compare(CompareOp::Less, y.abs());
        let longer = is_second.choose(&y, &x).abs();
        let shorter = is_second.choose(&x, &y);
        let none = longer.compare(CompareOp::Equal, 0.0);
        let ratio = shorter / none.choose(1.0, &longer);
        let length = &longer * (&ratio * &ratio + 1.0).sqrt();
        let infinity = length.like(f64::INFINITY);
        let infinite = x.abs().compare(CompareOp::Equal, &infinity);
        let infinite = infinite | y.abs().compare(CompareOp::Equal, &infinity);
        infinite.choose(infinity, &length)
    })
}

/// The remainder that is not negative.
pub fn rem_euclid<'x, V: Clone>(x: &Term<'x, V>, y: &Term<'x, V>) -> Term<'x, V> {
    let rest = x.of(is_real).with(BinaryOp::Remainder, y);
    if rest.dtype().class() == DTypeClass::Unsigned {
        return rest;
    }
    let negative = rest.compare(CompareOp::Less, 0);
    negative.choose(&rest + y.abs(), &rest)
}

/// The nearest number between bounds.
pub fn clamp<'x, V: Clone>(x: &Term<'x, V>, low: &Term<'x, V>, high: &Term<'x, V>) -> Term<'x, V> {
    x.of(is_real).max(low).min(high)
}

/// The product with a factor, and a summand.
pub fn mul_add<'x, V: Clone>(
    x: &Term<'x, V>,
    factor: &Term<'x, V>,
    summand: &Term<'x, V>,
) -> Term<'x, V> {
    let terms = [x, factor, summand].map(Clone::clone);
    precise(terms, |[x, factor, summand]| x * factor + summand)
}
