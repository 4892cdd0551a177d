//! Products of vectors and matrices, as in NumPy.

use crate::{broadcast::broadcast_shapes, term::Term};
use iree_abi::{Dim, Shape};
use iree_dsl_ir::op::{DotGeneral, InferError, Op};

/// Every product of an element of one tensor with one of another.
pub fn outer<'x, V: Clone>(lhs: &Term<'x, V>, rhs: &Term<'x, V>) -> Term<'x, V> {
    multiply(lhs, rhs, Vec::new(), None)
}

/// The last axis of the first operand with the first of a vector or matrix. A vector on the left is a row, whatever is on the
/// right.
pub fn dot<'x, V: Clone>(lhs: &Term<'x, V>, rhs: &Term<'x, V>) -> Term<'x, V> {
    let (lhs_rank, rhs_rank) = (lhs.shape().rank(), rhs.shape().rank());
    let axis = match (lhs_rank, rhs_rank) {
        (1.., 1 | 2) => 0,
        (1, 3..) => rhs_rank - 2,
        _ => return lhs.failed(no_axis(rhs_rank)),
    };
    multiply(lhs, rhs, Vec::new(), Some((lhs_rank - 1, axis)))
}

/// Matrices in the last two axes, the axes before them broadcast; a vector is a row on the left and a column on the right.
pub fn matmul<'x, V: Clone>(lhs: &Term<'x, V>, rhs: &Term<'x, V>) -> Term<'x, V> {
    let (lhs_rank, rhs_rank) = (lhs.shape().rank(), rhs.shape().rank());
    match (lhs_rank, rhs_rank) {
        (0, _) | (_, 0) => lhs.failed(no_axis(0)),
        // A matrix on the right has no batch, so that all rows on the left are multiplied by it. To repeat it for each batch
        // would make a product of weights read them, and bring them into the order that it reads, as often as there are batches.
        (_, 1 | 2) => multiply(lhs, rhs, Vec::new(), Some((lhs_rank - 1, 0))),
        // Nor has a vector on the left.
        (1, _) => multiply(lhs, rhs, Vec::new(), Some((0, rhs_rank - 2))),
        _ => batched(lhs, rhs),
    }
}

fn batched<'x, V: Clone>(lhs: &Term<'x, V>, rhs: &Term<'x, V>) -> Term<'x, V> {
    let inner = (lhs.shape().rank() - 1, rhs.shape().rank() - 2);
    if let Err(error) = check_inner(lhs, rhs, inner) {
        return lhs.failed(error.into());
    }
    let (lhs_batch, lhs_matrix) = split(&lhs.shape());
    let (rhs_batch, rhs_matrix) = split(&rhs.shape());
    let Ok(batch) = broadcast_shapes(&lhs_batch, &rhs_batch) else {
        return lhs.failed(InferError::Broadcast(lhs_batch, rhs_batch).into());
    };
    let join = |matrix: Vec<Dim>| Shape::new([batch.dims().to_vec(), matrix].concat());
    let (lhs, rhs) = (
        lhs.broadcast(&join(lhs_matrix)),
        rhs.broadcast(&join(rhs_matrix)),
    );
    let batch: Vec<_> = (0..batch.rank()).collect();
    let inner = (batch.len() + 1, batch.len());
    multiply(&lhs, &rhs, batch, Some(inner))
}

/// The axes before the last two, and these.
fn split(shape: &Shape) -> (Shape, Vec<Dim>) {
    let position = shape.rank().saturating_sub(2);
    let (batch, matrix) = shape.dims().split_at(position);
    (Shape::new(batch.to_vec()), matrix.to_vec())
}

/// The products along the same axes of a batch, summed along one axis of each.
fn multiply<'x, V: Clone>(
    lhs: &Term<'x, V>,
    rhs: &Term<'x, V>,
    batch: Vec<usize>,
    inner: Option<(usize, usize)>,
) -> Term<'x, V> {
    if let Some(Err(error)) = inner.map(|inner| check_inner(lhs, rhs, inner)) {
        return lhs.failed(error.into());
    }
    let op = DotGeneral {
        batch: (batch.clone(), batch),
        contract: inner.into_iter().unzip(),
        dtype: lhs.dtype(),
    };
    lhs.emit(Op::DotGeneral(op), &[rhs])
}

/// Refuses inner sizes that differ.
fn check_inner<V: Clone>(
    lhs: &Term<'_, V>,
    rhs: &Term<'_, V>,
    (lhs_axis, rhs_axis): (usize, usize),
) -> Result<(), InferError> {
    let (lhs, rhs) = (lhs.shape(), rhs.shape());
    match lhs.dims().get(lhs_axis) == rhs.dims().get(rhs_axis) {
        true => Ok(()),
        false => Err(InferError::Contraction {
            lhs,
            lhs_axis,
            rhs,
            rhs_axis,
        }),
    }
}

fn no_axis(rank: usize) -> crate::Error {
    InferError::Axis { axis: 0, rank }.into()
}
