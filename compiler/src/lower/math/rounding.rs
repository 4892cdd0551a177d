//! Rounding to integers without an instruction for it: machines that lack one would need a library that
//! IREE does not have.

use super::{formula::Unary, number::Number};
use iree_dsl_ir::op::UnaryOp;

/// The operations of the representation that have a formula here.
pub(super) const FORMULAS: &[Unary] = &[
    Unary::real(UnaryOp::Floor, floor),
    Unary::real(UnaryOp::RoundTiesEven, round),
];

/// The nearest integer, the even one of two: what is left after a number is added that leaves no digits
/// for fractions.
pub(super) fn round<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let size = x.abs();
    let limit = 2_f64.powi(x.format().precision as i32 - 1);
    let rounded = (&size + limit - limit).negate_where(&x.is_negative());
    size.is_less(limit).choose(rounded, x)
}

/// The next integer downwards. Numbers that are too small for a comparison have a sign all the same.
pub(super) fn floor<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let rounded = round(x);
    let negative = x.is_negative() & x.bits().differs(x.like(-0.0).bits());
    let above = rounded.is_greater(x) | (negative & rounded.equals(0.0));
    above.choose(&rounded - 1.0, &rounded)
}
