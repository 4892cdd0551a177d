//! What can be asked of numbers.

use crate::{classes::is_fractional, term::Term};
use iree_dsl_ir::op::CompareOp;

/// Whether it is neither infinite nor NaN.
pub fn is_finite<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let x = x.of(is_fractional);
    match x.dtype().is_complex() {
        true => finite(&x.real()) & finite(&x.imag()),
        false => finite(&x),
    }
}

/// Whether it, or a part of it, is infinite.
pub fn is_infinite<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let x = x.of(is_fractional);
    match x.dtype().is_complex() {
        true => infinite(&x.real()) | infinite(&x.imag()),
        false => infinite(&x),
    }
}

/// Whether it is not equal to itself.
pub fn is_nan<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    x.of(is_fractional).compare(CompareOp::NotEqual, x)
}

fn finite<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    x.abs().compare(CompareOp::Less, f64::INFINITY)
}

fn infinite<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    x.abs().compare(CompareOp::Equal, f64::INFINITY)
}
