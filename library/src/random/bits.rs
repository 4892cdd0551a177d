//! Random bits.

use super::{key::words, threefry::threefry};
use crate::{builder::Error, term::Term};
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::op::{Iota, Op};

/// Integers of which every one is as likely as any other.
pub fn bits<'x, V: Clone>(key: &Term<'x, V>, ty: &TensorType) -> Term<'x, V> {
    random_bits(key, 8 * ty.dtype.size(), &ty.shape).convert(ty.dtype)
}

/// So many random bits at each place, as integers without a sign.
pub(super) fn random_bits<'x, V: Clone>(
    key: &Term<'x, V>,
    width: usize,
    shape: &Shape,
) -> Term<'x, V> {
    let key = words(key);
    let Some(count) = element_count(shape) else {
        let [first, _] = key;
        return first.failed(Error::TooManyNumbers);
    };
    let ty = TensorType::new(DType::U32, Shape::new(vec![count]));
    let [word, _] = &key;
    let index = word.make(Op::Iota(Iota { ty, axis: 0 }));
    let [first, second] = threefry(key, [&index.like(0), &index]);
    let bits = match width {
        64 => {
            let high = first.convert(DType::U64) << i128::from(u32::BITS);
            high | second.convert(DType::U64)
        }
        width => (first ^ second).convert(unsigned(width)),
    };
    bits.reshape(shape)
}

/// How many numbers a shape holds, if the index that a number depends on fits in 32 bits.
fn element_count(shape: &Shape) -> Option<Dim> {
    let count = shape.element_count().and_then(Dim::from_extent);
    let fits = |dim: &Dim| dim.known().is_none_or(|count| u32::try_from(count).is_ok());
    count.filter(fits)
}

/// The integers without a sign that have so many bits.
pub(super) const fn unsigned(width: usize) -> DType {
    match width {
        8 => DType::U8,
        16 => DType::U16,
        32 => DType::U32,
        _ => DType::U64,
    }
}
