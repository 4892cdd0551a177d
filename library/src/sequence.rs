//! Numbers at equal distances.

use crate::{builder::Builder, classes::is_float, term::Term};
use iree_abi::{DType, Extent, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{Iota, Op, Size},
};

/// From the first number to the last, along the one axis of both, which are the same everywhere: the first times 1 - t and
/// the last times t, with t from 0 to 1, of which both are exact.
pub fn linspace<'x, V: Clone>(first: &Term<'x, V>, last: &Term<'x, V>) -> Term<'x, V> {
    let first = first.of(is_float);
    let (dtype, shape) = (first.dtype(), first.shape());
    // Numbers of 16 bits do not count as far as tensors are long.
    let wide = match dtype.size() {
        2 => DType::F32,
        _ => dtype,
    };
    let steps = first.count(&[0]);
    let steps = steps.and_then(|count| count.plus(&Extent::constant(-1)));
    let steps = number(
        first.builder(),
        &steps.unwrap_or_else(|| Extent::constant(0)),
        wide,
    );
    let ty = TensorType::new(wide, shape);
    let index = first.make(Op::Iota(Iota { ty, axis: 0 }));
    let part = &index / steps.max(1.0).broadcast_like(&index);
    let (first, last) = (first.convert(wide), last.convert(wide));
    let number = first * (part.like(1.0) - &part) + last * part;
    number.convert(dtype)
}

/// A size as a scalar.
pub(crate) fn number<'x, V: Clone>(
    builder: &'x (dyn Builder<Value = V> + 'x),
    extent: &Extent,
    dtype: DType,
) -> Term<'x, V> {
    match extent.known() {
        Some(known) => {
            let ty = TensorType::new(dtype, []);
            Term::splat(builder, Scalar::Integer(known), &ty)
        }
        None => {
            let extent = extent.clone();
            Term::source(builder, Op::Size(Size { extent, dtype }))
        }
    }
}
