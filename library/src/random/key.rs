//! Keys: two words of 32 bits, `Tensor<u32, 2>`.

use super::threefry::threefry;
use crate::term::Term;
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::op::{Iota, Op};

/// The key of a seed, which is one integer: its 64 bits, or zero and its 32 bits if it has no more.
pub fn key<'x, V: Clone>(seed: &Term<'x, V>) -> Term<'x, V> {
    let (high, low) = match seed.dtype().size() {
        8 => {
            let bits = seed.convert(DType::U64);
            (&bits >> i128::from(u32::BITS), bits)
        }
        _ => {
            let bits = seed.convert(DType::U32);
            (bits.like(0), bits)
        }
    };
    pack([high, low].map(|word| word.convert(DType::U32)))
}

/// The key that another one and an integer give.
pub fn fold_in<'x, V: Clone>(key: &Term<'x, V>, data: &Term<'x, V>) -> Term<'x, V> {
    let key = words(key);
    let data = data.convert(DType::U32);
    pack(threefry(key, [&data.like(0), &data]))
}

/// Several keys from one, as `Tensor<u32, N, 2>`.
pub fn split<'x, V: Clone>(key: &Term<'x, V>, count: &Dim) -> Term<'x, V> {
    let [first, second] = words(key);
    let ty = TensorType::new(DType::U32, Shape::new(vec![count.clone()]));
    let index = first.make(Op::Iota(Iota { ty, axis: 0 }));
    let words = threefry([first, second], [&index.like(0), &index]);
    let column = Shape::new(vec![count.clone(), Dim::Static(1)]);
    concatenate(words.map(|word| word.reshape(&column)), 1)
}

/// The words of a key.
pub(super) fn words<'x, V: Clone>(key: &Term<'x, V>) -> [Term<'x, V>; 2] {
    [key.item(0), key.item(1)]
}

fn pack<'x, V: Clone>(words: [Term<'x, V>; 2]) -> Term<'x, V> {
    concatenate(words.map(|word| word.reshape(&Shape::from([1]))), 0)
}

fn concatenate<'x, V: Clone>([first, second]: [Term<'x, V>; 2], axis: usize) -> Term<'x, V> {
    first.emit(Op::Concatenate(axis), &[&second])
}
