//! What elements are sorted by.

use crate::term::Term;
use iree_abi::{DType, DTypeClass};
use iree_dsl_ir::op::CompareOp;

/// Integers with a sign in the order of numbers, NaN last.
pub fn keys<'x, V: Clone>(numbers: &Term<'x, V>, descending: bool) -> Term<'x, V> {
    let dtype = numbers.dtype();
    let keys = match dtype.class() {
        DTypeClass::Bool => numbers.convert(DType::I8),
        DTypeClass::Unsigned => {
            let signed = integer(dtype.size(), true);
            numbers.convert(signed) ^ -(greatest(signed) + 1)
        }
        DTypeClass::Float => float_keys(numbers),
        _ => numbers.clone(),
    };
    let keys = if descending { !keys } else { keys };
    if dtype.class() != DTypeClass::Float {
        return keys;
    }
    let last = greatest(keys.dtype());
    numbers
        .compare(CompareOp::NotEqual, numbers)
        .choose(last, &keys)
}

/// The bits of floating-point numbers as integers with a sign are in order, but that negative ones fall.
fn float_keys<'x, V: Clone>(numbers: &Term<'x, V>) -> Term<'x, V> {
    let size = numbers.dtype().size();
    let signed = integer(size, true);
    let bits = numbers.bitcast(integer(size, false)).convert(signed);
    let sign = &bits >> (8 * size as i128 - 1);
    let ordered = &bits ^ (sign & greatest(signed));
    // Both zeros are equal.
    ordered.compare(CompareOp::Equal, -1).choose(0, &ordered)
}

/// The integers of so many bytes.
const fn integer(size: usize, has_sign: bool) -> DType {
    match (size, has_sign) {
        (1, true) => DType::I8,
        (1, false) => DType::U8,
        (2, true) => DType::I16,
        (2, false) => DType::U16,
        (4, true) => DType::I32,
        (4, false) => DType::U32,
        (_, true) => DType::I64,
        (_, false) => DType::U64,
    }
}

/// The greatest integer of a type with a sign.
const fn greatest(dtype: DType) -> i128 {
    (1 << (8 * dtype.size() - 1)) - 1
}
