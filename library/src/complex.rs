//! Functions of complex numbers, written with those that the representation has. The inverses are those of
//! W. Kahan, "Branch cuts for complex elementary functions", which are precise near the cuts.

use crate::{classes::is_complex, rounding::copy_sign, term::Term};
use iree_dsl_ir::op::{BinaryOp, UnaryOp};
use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

/// The number with the negative imaginary part.
pub fn conj<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    conjugate(&z.of(is_complex))
}

fn conjugate<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    z.real().with_imag(-z.imag())
}

/// i z.
fn turned<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    (-z.imag()).with_imag(z.real())
}

/// -i z.
fn turned_back<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    z.imag().with_imag(-z.real())
}

/// z and a real number. The sign of an imaginary part of zero stays, which says on which side of a cut it is.
fn plus<'x, V: Clone>(z: &Term<'x, V>, number: f64) -> Term<'x, V> {
    (z.real() + number).with_imag(z.imag())
}

pub(crate) fn sinh<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    turned_back(&turned(z).apply(UnaryOp::Sin))
}

pub(crate) fn cosh<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    turned(z).apply(UnaryOp::Cos)
}

pub(crate) fn tan<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    turned_back(&turned(z).apply(UnaryOp::Tanh))
}

pub(crate) fn asin<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    let (below, above) = ((-plus(z, -1.0)).sqrt(), plus(z, 1.0).sqrt());
    let re = z.real().with(BinaryOp::Atan2, (&below * &above).real());
    let im = (conjugate(&below) * above).imag().apply(UnaryOp::Asinh);
    re.with_imag(im)
}

pub(crate) fn acos<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    let (below, above) = ((-plus(z, -1.0)).sqrt(), plus(z, 1.0).sqrt());
    let re = below.real().with(BinaryOp::Atan2, above.real()) * 2.0;
    let im = (conjugate(&above) * below).imag().apply(UnaryOp::Asinh);
    re.with_imag(im)
}

pub(crate) fn acosh<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    let (below, above) = (plus(z, -1.0).sqrt(), plus(z, 1.0).sqrt());
    let re = (conjugate(&below) * &above).real().apply(UnaryOp::Asinh);
    let im = below.imag().with(BinaryOp::Atan2, above.real()) * 2.0;
    re.with_imag(im)
}

pub(crate) fn asinh<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    turned_back(&asin(&turned(z)))
}

/// ¼ ln (1 + 4a / ((1 - a)² + b²)) + ½ i arg (1 - a² - b² + 2bi).
pub(crate) fn atanh<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    let (a, b) = (z.real(), z.imag());
    let below = a.like(1.0) - &a;
    let square = &b * &b;
    let size = a.abs();
    let distance = size.like(1.0) - &size;
    let ratio = &size * 4.0 / (&distance * &distance + &square);
    let re = copy_sign(&(ratio.apply(UnaryOp::Ln1p) * 0.25), &a);
    let im = (&b * 2.0).with(BinaryOp::Atan2, below * (&a + 1.0) - square) * 0.5;
    re.with_imag(im)
}

pub(crate) fn atan<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    turned_back(&atanh(&turned(z)))
}

pub(crate) fn exp2<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    (z * LN_2).apply(UnaryOp::Exp)
}

pub(crate) fn log2<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    z.apply(UnaryOp::Ln) * LOG2_E
}

pub(crate) fn log10<'x, V: Clone>(z: &Term<'x, V>) -> Term<'x, V> {
    z.apply(UnaryOp::Ln) * LOG10_E
}
