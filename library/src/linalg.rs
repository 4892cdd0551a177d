//! Batches of matrices, which the closures of the [`language`](crate::language) take: with one axis before rows and columns, and
//! numbers of 16 bits as `f32`.

use crate::term::{Term, widened};
use iree_abi::{DType, Dim, Extent, Shape};
use iree_dsl_ir::op::{InferError, Op};

/// Matrices in the last two axes as a batch.
pub fn batch<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let shape = x.shape();
    match (stacked(&shape), shape.rank()) {
        (Some(stacked), _) => widened(&x.emit(Op::Reshape(stacked), &[])),
        (None, rank @ ..2) => x.failed(InferError::Axis { axis: 1, rank }.into()),
        (None, _) => x.failed(InferError::UnknownShape(shape).into()),
    }
}

/// The right side of systems as a batch: the same with a column for a vector.
pub fn right_side<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let mut dims = x.shape().dims().to_vec();
    if dims.len() == 1 {
        dims.push(Dim::Static(1));
    }
    batch(&x.emit(Op::Reshape(Shape::new(dims)), &[]))
}

/// What was computed of a batch, in the shape and of the element type that were given.
pub fn restored<'x, V: Clone>(x: &Term<'x, V>, shape: &Shape, dtype: DType) -> Term<'x, V> {
    x.emit(Op::Reshape(shape.clone()), &[]).convert(dtype)
}

/// A shape with the axes before the last two made one.
fn stacked(shape: &Shape) -> Option<Shape> {
    let dims = shape.dims();
    let (batch, matrix) = dims.split_at(dims.len().checked_sub(2)?);
    let count = Shape::new(batch.to_vec()).element_count();
    let count = count.unwrap_or_else(|| Extent::from(1));
    Some(Shape::new([&[Dim::from_extent(count)?], matrix].concat()))
}
