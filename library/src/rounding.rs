//! Integers near a number, and its sign.

use crate::{
    classes::{is_float, is_real},
    term::Term,
};
use iree_abi::{DType, DTypeClass};
use iree_dsl_ir::op::{CompareOp, UnaryOp};

/// The next integer upwards.
pub fn ceil<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    -(-x.of(is_float)).apply(UnaryOp::Floor)
}

/// The integer without the fraction.
pub fn trunc<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    copy_sign(&x.of(is_float).abs().apply(UnaryOp::Floor), x)
}

/// The fraction, with the sign of the number.
pub fn fract<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    x - trunc(x)
}

/// The nearest integer, away from zero if there are two. A half is tested on what was cut off: added first, it would be
/// rounded.
pub fn round<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let size = x.of(is_float).abs();
    let whole = size.apply(UnaryOp::Floor);
    let up = (&size - &whole).compare(CompareOp::GreaterEqual, 0.5);
    copy_sign(&up.choose(&whole + 1.0, &whole), x)
}

/// As in Rust: 1 or -1 by the sign bit for floating-point numbers, and 0 for 0 only for integers.
pub fn signum<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let x = x.of(is_real);
    match x.dtype().class() {
        DTypeClass::Float => {
            let is_number = x.compare(CompareOp::Equal, &x);
            is_number.choose(copy_sign(&x.like(1.0), &x), &x)
        }
        DTypeClass::Unsigned => x.min(1),
        _ => x.max(-1).min(1),
    }
}

/// A number with the sign bit of another.
pub fn copysign<'x, V: Clone>(x: &Term<'x, V>, sign: &Term<'x, V>) -> Term<'x, V> {
    copy_sign(&x.of(is_float), sign)
}

pub(crate) fn copy_sign<'x, V: Clone>(x: &Term<'x, V>, sign: &Term<'x, V>) -> Term<'x, V> {
    let differs = is_negative(x) ^ is_negative(sign);
    differs.choose(-x, x)
}

/// Whether the sign bit is set.
fn is_negative<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let bits = x.bitcast(match x.dtype() {
        DType::F16 | DType::BF16 => DType::I16,
        DType::F64 => DType::I64,
        _ => DType::I32,
    });
    bits.compare(CompareOp::Less, 0)
}
