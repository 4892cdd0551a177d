//! Functions of complex numbers, written with those that the representation has. The inverses are those of
//! W. Kahan, "Branch cuts for complex elementary functions", which are precise near the cuts.

use super::{
    super::{super::tracer::Tracer, OperationCall},
    Result, Term, formula, require,
};
use iree_abi::DTypeClass;
use iree_dsl_ir::op::{BinaryOp, UnaryOp};
use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

pub(in super::super) fn conj(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let z = call.tensor(tracer, 0)?;
    require(tracer, &call, &z, |class| class == DTypeClass::Complex)?;
    let result = formula(tracer, &call, [&z], |[z]| conjugate(&z))?;
    Some(result.into())
}

fn conjugate<'x>(z: &Term<'x>) -> Term<'x> {
    z.real().with_imag(-z.imag())
}

/// i z.
fn turned<'x>(z: &Term<'x>) -> Term<'x> {
    (-z.imag()).with_imag(z.real())
}

/// -i z.
fn turned_back<'x>(z: &Term<'x>) -> Term<'x> {
    z.imag().with_imag(-z.real())
}

/// z and a real number. The sign of an imaginary part of zero stays, which says on which side of a cut it is.
fn plus<'x>(z: &Term<'x>, number: f64) -> Term<'x> {
    (z.real() + number).with_imag(z.imag())
}

pub(super) fn sinh<'x>(z: &Term<'x>) -> Term<'x> {
    turned_back(&turned(z).apply(UnaryOp::Sin))
}

pub(super) fn cosh<'x>(z: &Term<'x>) -> Term<'x> {
    turned(z).apply(UnaryOp::Cos)
}

pub(super) fn tan<'x>(z: &Term<'x>) -> Term<'x> {
    turned_back(&turned(z).apply(UnaryOp::Tanh))
}

pub(super) fn asin<'x>(z: &Term<'x>) -> Term<'x> {
    let (below, above) = ((-plus(z, -1.0)).sqrt(), plus(z, 1.0).sqrt());
    let re = z.real().with(BinaryOp::Atan2, (&below * &above).real());
    let im = (conjugate(&below) * above).imag().apply(UnaryOp::Asinh);
    re.with_imag(im)
}

pub(super) fn acos<'x>(z: &Term<'x>) -> Term<'x> {
    let (below, above) = ((-plus(z, -1.0)).sqrt(), plus(z, 1.0).sqrt());
    let re = below.real().with(BinaryOp::Atan2, above.real()) * 2.0;
    let im = (conjugate(&above) * below).imag().apply(UnaryOp::Asinh);
    re.with_imag(im)
}

pub(super) fn acosh<'x>(z: &Term<'x>) -> Term<'x> {
    let (below, above) = (plus(z, -1.0).sqrt(), plus(z, 1.0).sqrt());
    let re = (conjugate(&below) * &above).real().apply(UnaryOp::Asinh);
    let im = below.imag().with(BinaryOp::Atan2, above.real()) * 2.0;
    re.with_imag(im)
}

pub(super) fn asinh<'x>(z: &Term<'x>) -> Term<'x> {
    turned_back(&asin(&turned(z)))
}

/// ¼ ln (1 + 4a / ((1 - a)² + b²)) + ½ i arg (1 - a² - b² + 2bi).
pub(super) fn atanh<'x>(z: &Term<'x>) -> Term<'x> {
    let (a, b) = (z.real(), z.imag());
    let below = a.like(1.0) - &a;
    let square = &b * &b;
    let size = a.abs();
    let distance = size.like(1.0) - &size;
    let ratio = &size * 4.0 / (&distance * &distance + &square);
    let re = super::rounding::copy_sign(&(ratio.apply(UnaryOp::Ln1p) * 0.25), &a);
    let im = (&b * 2.0).with(BinaryOp::Atan2, below * (&a + 1.0) - square) * 0.5;
    re.with_imag(im)
}

pub(super) fn atan<'x>(z: &Term<'x>) -> Term<'x> {
    turned_back(&atanh(&turned(z)))
}

pub(super) fn exp2<'x>(z: &Term<'x>) -> Term<'x> {
    (z * LN_2).apply(UnaryOp::Exp)
}

pub(super) fn log2<'x>(z: &Term<'x>) -> Term<'x> {
    z.apply(UnaryOp::Ln) * LOG2_E
}

pub(super) fn log10<'x>(z: &Term<'x>) -> Term<'x> {
    z.apply(UnaryOp::Ln) * LOG10_E
}
