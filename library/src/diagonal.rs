//! What depends on the diagonal of the last two axes.

use crate::{builder::Builder, term::Term};
use iree_abi::{DType, Shape, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{CompareOp, InferError, Iota, Op, ReduceKind},
};

/// Ones where the row is the column, and zeros elsewhere.
pub fn eye<'x, V: Clone>(
    builder: &'x (dyn Builder<Value = V> + 'x),
    ty: &TensorType,
) -> Term<'x, V> {
    let make = |op| Term::source(builder, op);
    related(make, &ty.shape, CompareOp::Equal, 0).convert(ty.dtype)
}

/// Zeros where the row, moved down by a distance, is not in a relation to the column.
pub fn triangle<'x, V: Clone>(x: &Term<'x, V>, relation: CompareOp, distance: i32) -> Term<'x, V> {
    let kept = related(|op| x.make(op), &x.shape(), relation, distance);
    let zero = x.make_splat(Scalar::zero(x.dtype()), &x.tensor_type());
    kept.choose(x, &zero)
}

/// The elements where the row is the column, along the shorter one of the last two axes; of equal sizes of the call along the rows.
/// Nothing tells which of two others is shorter.
pub fn diagonal<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let shape = x.shape();
    let kind = match x.dtype() {
        DType::Bool => ReduceKind::Any,
        _ => ReduceKind::Sum,
    };
    match summed_axis(&shape) {
        Some(axis) => triangle(x, CompareOp::Equal, 0).reduce(kind, &[axis]),
        None => x.failed(InferError::UnknownShape(shape).into()),
    }
}

/// The axis along which only one element or none is on the diagonal, of those that are not shorter than the diagonal.
fn summed_axis(shape: &Shape) -> Option<usize> {
    let [.., rows, columns] = shape.dims() else {
        return None;
    };
    let last = shape.rank().checked_sub(1)?;
    match (rows.known(), columns.known()) {
        _ if rows == columns => Some(last),
        (Some(rows), Some(columns)) if rows < columns => Some(last),
        (Some(_), Some(_)) => last.checked_sub(1),
        _ => None,
    }
}

/// The sum of the diagonal of the last two axes.
pub fn trace<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let rank = x.shape().rank();
    let axes = [rank.saturating_sub(2), rank.saturating_sub(1)];
    triangle(x, CompareOp::Equal, 0).reduce(ReduceKind::Sum, &axes)
}

/// Whether the row, moved down by a distance, is in a relation to the column.
fn related<'x, V: Clone>(
    make: impl Fn(Op) -> Term<'x, V>,
    shape: &Shape,
    relation: CompareOp,
    distance: i32,
) -> Term<'x, V> {
    let ty = TensorType::new(DType::I32, shape.clone());
    let index = |axis| {
        make(Op::Iota(Iota {
            ty: ty.clone(),
            axis,
        }))
    };
    let Some(row) = shape.rank().checked_sub(2) else {
        return index(0).failed(InferError::UnknownShape(shape.clone()).into());
    };
    let (rows, columns) = (index(row), index(row + 1));
    let moved = match distance {
        0 => rows,
        distance => rows + i128::from(distance),
    };
    moved.compare(relation, columns)
}
