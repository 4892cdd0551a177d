use super::{formula::Unary, number::Number};
use iree_abi::DType;
use iree_dsl_ir::op::UnaryOp;
use std::f64::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E, LOG10_2, LOG10_E};

/// The operations of the representation that have a formula here.
pub(super) const FORMULAS: &[Unary] = &[
    Unary::double(UnaryOp::Ln1p, ln_1p),
    Unary::real(UnaryOp::Log2, log2),
    Unary::real(UnaryOp::Log10, log10),
    Unary::real(UnaryOp::Asinh, asinh),
    Unary::real(UnaryOp::Acosh, acosh),
    Unary::real(UnaryOp::Atanh, atanh),
];

/// ln (1 + x) without cancellation: the error of u = 1 + x is added as (x - (u - 1)) / u. IREE has it for
/// `f32`.
pub(super) fn ln_1p<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    if x.dtype() == DType::F32 {
        return x.native_ln_1p();
    }
    let sum = x + 1.0;
    let lost = x - (&sum - 1.0);
    let result = sum.ln() + lost / &sum;
    let tiny = sum.equals(1.0);
    let result = tiny.choose(x, &result);
    let exact = sum.is_greater(0.0) & sum.is_less(f64::INFINITY);
    exact.choose(result, &sum.ln())
}

/// A positive number as m·2ᵉ with m from √½ to √2.
pub(super) fn parts<'m, 'c, 'b>(
    x: &Number<'m, 'c, 'b>,
) -> (Number<'m, 'c, 'b>, Number<'m, 'c, 'b>) {
    let fraction = x.format().fraction();
    let bits = x.bits();
    let distance = &bits - x.like(FRAC_1_SQRT_2).bits();
    let exponent = distance.shift_right_signed(fraction);
    let significand = (bits - (&exponent << fraction)).to_float();
    (significand, exponent.convert(x.dtype()))
}

/// The logarithm to the base 2, exact for powers of 2.
pub(super) fn log2<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (significand, exponent) = parts(x);
    let result = significand.ln() * LOG2_E + exponent;
    where_positive(x, &result)
}

/// The logarithm to the base 10. The multiple of log₁₀ 2 is added in two parts, the first of which is
/// exact.
pub(super) fn log10<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (significand, exponent) = parts(x);
    let (upper, lower) = split(LOG10_2, x);
    let below = significand.ln() * LOG10_E + &exponent * lower;
    where_positive(x, &(exponent * upper + below))
}

/// A constant as a part whose multiples by exponents are exact, and what is below.
pub(super) fn split(constant: f64, like: &Number<'_, '_, '_>) -> (f64, f64) {
    let precision = like.format().precision;
    let exponent_bits = 12;
    let lost = f64::MANTISSA_DIGITS - precision + exponent_bits;
    let upper = f64::from_bits(constant.to_bits() >> lost << lost);
    (upper, constant - upper)
}

/// The natural logarithm has the same limits.
fn where_positive<'m, 'c, 'b>(
    x: &Number<'m, 'c, 'b>,
    result: &Number<'m, 'c, 'b>,
) -> Number<'m, 'c, 'b> {
    let ordinary = x.is_greater(0.0) & x.is_less(f64::INFINITY);
    ordinary.choose(result, &x.ln())
}

/// sign x · ln (|x| + √(x² + 1)); for large numbers ln 2|x|.
pub(super) fn asinh<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let size = x.abs();
    let large = size.is_greater(LARGE);
    let moderate = size.min(LARGE);
    let square = &moderate * &moderate;
    let root = (&square + 1.0).sqrt() + 1.0;
    let near = ln_1p(&(&moderate + square / root));
    let result = large.choose(size.ln() + LN_2, &near);
    let result = x.equals(x).choose(result, x);
    result.negate_where(&x.is_negative())
}

/// ln (x + √(x² - 1)), with t = x - 1 as ln (1 + t + √(2t + t²)); for large numbers ln 2x.
pub(super) fn acosh<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let large = x.is_greater(LARGE);
    let less = x.min(LARGE) - 1.0;
    let near = ln_1p(&(&less + (&less * 2.0 + &less * &less).sqrt()));
    let near = x.is_less(1.0).choose(f64::NAN, &near);
    large.choose(x.ln() + LN_2, &near)
}

/// ½ ln ((1 + x) / (1 - x)).
pub(super) fn atanh<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let size = x.abs();
    let result = ln_1p(&(&size * 2.0 / (1.0 - &size))) * 0.5;
    result.negate_where(&x.is_negative())
}

/// Beyond it 1 does not count beside a square.
const LARGE: f64 = 268_435_456.0;
