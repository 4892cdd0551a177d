//! Matrices as a batch, with one axis before rows and columns, and numbers of 16 bits as `f32`.

use crate::{
    repeat::Place,
    term::{Term, widened},
};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{CompareOp, InferError, Iota, Op},
};

/// Matrices in the last two axes as a batch.
pub(crate) fn batch<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let shape = x.shape();
    match (stacked(&shape), shape.rank()) {
        (Some(stacked), _) => widened(&x.reshape(&stacked)),
        (None, rank @ ..2) => x.failed(InferError::Axis { axis: 1, rank }.into()),
        (None, _) => x.failed(InferError::UnknownShape(shape).into()),
    }
}

/// What was computed of a batch, in the shape and of the element type that were given.
pub(crate) fn restored<'x, V: Clone>(x: &Term<'x, V>, shape: &Shape, dtype: DType) -> Term<'x, V> {
    x.reshape(shape).convert(dtype)
}

/// The products of each element of a column with each of a row, in a batch.
pub(crate) fn outer<'x, V: Clone>(
    shape: &Shape,
    column: &Term<'x, V>,
    row: &Term<'x, V>,
) -> Term<'x, V> {
    column.repeat(shape, vec![0, 1]) * row.repeat(shape, vec![0, 2])
}

/// The numbers from zero to before a size.
pub(crate) fn numbers<'x, V: Clone>(x: &Term<'x, V>, size: &Dim) -> Term<'x, V> {
    let ty = TensorType::new(DType::I32, Shape::new(vec![size.clone()]));
    x.make(Op::Iota(Iota { ty, axis: 0 }))
}

/// The number of rows in a batch.
pub(crate) fn size(batch: &Shape) -> Dim {
    let size = batch.dims().get(1).cloned();
    size.unwrap_or(Dim::Static(0))
}

/// Which rows are in a relation to a place, for each column of a batch.
pub(crate) fn related<'x, V: Clone>(
    rows: &Term<'x, V>,
    relation: CompareOp,
    place: &Place<'x, V>,
    column: &Term<'x, V>,
) -> Term<'x, V> {
    let related = rows.compare(relation, place.number(rows).broadcast_like(rows));
    related.repeat(&column.shape(), vec![1])
}

/// A one for each matrix of a batch.
pub(crate) fn ones<'x, V: Clone>(batch: &Term<'x, V>) -> Term<'x, V> {
    let stacked = batch.shape().dims().first().cloned();
    let ty = TensorType::new(batch.dtype(), Shape::new(stacked.into_iter().collect()));
    batch.make_splat(Scalar::Float(1.0), &ty)
}

fn stacked(shape: &Shape) -> Option<Shape> {
    let dims = shape.dims();
    let (batch, matrix) = dims.split_at(dims.len().checked_sub(2)?);
    let count = Shape::new(batch.to_vec()).element_count();
    let count = count.unwrap_or_else(|| Extent::from(1));
    Some(Shape::new([&[Dim::from_extent(count)?], matrix].concat()))
}
