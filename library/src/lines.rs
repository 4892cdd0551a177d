//! What stands along an axis as the lines of a table.

use crate::term::Term;
use iree_abi::{Dim, Shape};
use iree_dsl_ir::op::{InferError, Op};
use std::cmp::Ordering;

/// What stands along an axis, a line for each place of the other axes.
pub fn table<'x, V: Clone>(x: &Term<'x, V>, axis: usize) -> Term<'x, V> {
    let order = (0..x.shape().rank()).filter(|other| *other != axis);
    let turned = x.transposed(order.chain([axis]).collect());
    let shape = turned.shape();
    match lines(&shape) {
        Some(lines) => turned.emit(Op::Reshape(lines), &[]),
        None => turned.failed(InferError::UnknownShape(shape).into()),
    }
}

/// The lines of a table along an axis of a tensor of a shape.
pub fn from_table<'x, V: Clone>(table: &Term<'x, V>, shape: &Shape, axis: usize) -> Term<'x, V> {
    let rank = shape.rank();
    let dims = shape.dims().iter().enumerate();
    let (along, mut dims): (Vec<_>, Vec<_>) = dims.partition(|(other, _)| *other == axis);
    dims.extend(along);
    let dims = dims.into_iter().map(|(_, dim)| dim.clone());
    let turned = table.emit(Op::Reshape(Shape::new(dims.collect())), &[]);
    let back = (0..rank).map(|at| match at.cmp(&axis) {
        Ordering::Less => at,
        Ordering::Equal => rank - 1,
        Ordering::Greater => at - 1,
    });
    turned.transposed(back.collect())
}

/// The shape of a table with the lines along the last axis.
fn lines(shape: &Shape) -> Option<Shape> {
    let (size, others) = shape.dims().split_last()?;
    let count = Shape::new(others.to_vec()).element_count()?;
    Some(Shape::new(vec![Dim::from_extent(count)?, size.clone()]))
}
