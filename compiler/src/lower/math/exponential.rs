use super::{
    formula::Unary,
    number::Number,
    rounding::{floor, round},
};
use iree_abi::DType;
use iree_dsl_ir::op::UnaryOp;
use std::f64::consts::LN_2;

/// The operations of the representation that have a formula here.
pub(super) const FORMULAS: &[Unary] = &[
    Unary::real(UnaryOp::Exp2, exp2),
    Unary::double(UnaryOp::ExpM1, exp_m1),
    Unary::real(UnaryOp::Sinh, sinh),
    Unary::real(UnaryOp::Cosh, cosh),
    Unary::double(UnaryOp::Tanh, tanh),
];

/// Two to the power of a number: of its integer part in the bits of the result, so that no precision is
/// lost for large numbers.
pub(super) fn exp2<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let format = x.format();
    let limit = 2.0 * format.bias as f64;
    let whole = round(&x.max(-limit).min(limit));
    let half = floor(&(&whole * 0.5));
    let rest = ((x - &whole) * LN_2).exp();
    let result = rest * power_of_two(&half) * power_of_two(&(&whole - &half));
    // An infinite number has no rest.
    let finite = x.is_finite();
    finite.choose(result, &x.exp())
}

/// Two to the power of an integer that the exponent can hold.
fn power_of_two<'m, 'c, 'b>(exponent: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let format = exponent.format();
    let biased = exponent.convert(format.integer) + format.bias;
    (biased << format.fraction()).to_float()
}

/// eˣ - 1 without cancellation, by W. Kahan: the error of u = eˣ is undone by x / ln u. IREE has it for
/// `f32`.
pub(super) fn exp_m1<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    if x.dtype() == DType::F32 {
        return x.native_exp_m1();
    }
    let power = x.exp();
    let less = &power - 1.0;
    let logarithm = power.ln();
    let corrected = &less * (x / &logarithm);
    let result = logarithm.equals(0.0).choose(x, &corrected);
    let exact = less.equals(-1.0) | power.equals(f64::INFINITY);
    exact.choose(less, &result)
}

/// (eˣ - e⁻ˣ) / 2: from t = eˣ - 1 near zero, elsewhere from the root of eˣ, which does not overflow early.
pub(super) fn sinh<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let size = x.abs();
    let less = exp_m1(&size.min(1.0));
    let small = (&less + &less / (&less + 1.0)) * 0.5;
    let (up, down) = halves(&size);
    let result = size.is_less(1.0).choose(small, &(up - down));
    result.negate_where(&x.is_negative())
}

/// (eˣ + e⁻ˣ) / 2.
pub(super) fn cosh<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (up, down) = halves(&x.abs());
    up + down
}

/// Half of eˣ and of e⁻ˣ.
fn halves<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> (Number<'m, 'c, 'b>, Number<'m, 'c, 'b>) {
    let root = (x * 0.5).exp();
    let up = &root * 0.5 * &root;
    let down = 0.5 / &root / root;
    (up, down)
}

/// With t = e⁻²ˣ - 1, which is from -1 to 0 for x ≥ 0: -t / (t + 2). IREE has it for `f32`.
pub(super) fn tanh<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let less = exp_m1(&(x.abs() * -2.0));
    let result = -&less / (less + 2.0);
    result.negate_where(&x.is_negative())
}
