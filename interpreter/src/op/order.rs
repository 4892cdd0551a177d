//! Orders along an axis, and elements combined with all before them.

use super::Operands;
use crate::{
    Array, Cause, Element, Tensor,
    arithmetic::{Number, Ordered},
    tensor::{each_number, each_ordered},
};
use iree_dsl_ir::op::{ArgSort, Cumulate, ReduceKind};
use ndarray::{ArrayD, Axis};
use std::cmp::Ordering;

pub(super) fn arg_sort(op: &ArgSort, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    each_ordered!(operand, array => lines(array, op.axis, |line| {
        let count = i32::try_from(line.len()).map_err(|_| Cause::Lost("a place that `i32` holds"))?;
        let mut places: Vec<_> = (0..count).zip(line).collect();
        // Stable: equal elements stay in their order.
        places.sort_by(|(_, one), (_, other)| in_order(**one, **other, op.descending));
        Ok(places.into_iter().map(|(place, _)| place).collect())
    }))
}

/// Which of two elements comes first. NaN comes last.
fn in_order<T: Ordered>(one: T, other: T, descending: bool) -> Ordering {
    let order = one.partial_cmp(&other);
    let order = order.map(|order| if descending { order.reverse() } else { order });
    order.unwrap_or_else(|| one.is_nan().cmp(&other.is_nan()))
}

/// Sums and products are rounded once for each element.
pub(super) fn cumulate(op: &Cumulate, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    match op.kind {
        ReduceKind::Sum => each_number!(operand, array => {
            lines(array, op.axis, |line| Ok(running_sums(line)))
        }),
        ReduceKind::Product => each_number!(operand, array => {
            lines(array, op.axis, |line| Ok(running_products(line)))
        }),
        ReduceKind::Maximum => each_ordered!(operand, array => {
            lines(array, op.axis, |line| Ok(running_plain(line, Ordered::maximum)))
        }),
        ReduceKind::Minimum => each_ordered!(operand, array => {
            lines(array, op.axis, |line| Ok(running_plain(line, Ordered::minimum)))
        }),
        ReduceKind::All | ReduceKind::Any => Err(Cause::DType(operand.dtype())),
    }
}

fn running_sums<T: Number>(line: &[T]) -> Vec<T> {
    running(line, T::add)
}

fn running_products<T: Number>(line: &[T]) -> Vec<T> {
    running(line, T::multiply)
}

fn running<T: Number>(line: &[T], combine: fn(T::Wide, T::Wide) -> T::Wide) -> Vec<T> {
    let mut before = None;
    let next = |element: &T| {
        let element = element.widen();
        let sum = before.map_or(element, |before| combine(before, element));
        before = Some(sum);
        T::narrow(sum)
    };
    line.iter().map(next).collect()
}

fn running_plain<T: Ordered>(line: &[T], combine: fn(T, T) -> T) -> Vec<T> {
    let mut before = None;
    let next = |element: &T| {
        let result = before.map_or(*element, |before| combine(before, *element));
        before = Some(result);
        result
    };
    line.iter().map(next).collect()
}

/// The tensor of what becomes of each line along an axis, of which each has as many elements as before.
fn lines<T: Element, R: Element>(
    array: &Array<T>,
    axis: usize,
    become_of: impl Fn(&[T]) -> Result<Vec<R>, Cause>,
) -> Result<Tensor, Cause> {
    let mut results = Vec::with_capacity(array.len());
    for line in array.lanes(Axis(axis)) {
        results.extend(become_of(&line.to_vec())?);
    }
    // Lines come with their own axis last.
    let rank = array.ndim();
    let mut shape = array.shape().to_vec();
    if axis >= rank {
        return Err(Cause::Lost("an axis"));
    }
    let length = shape.remove(axis);
    shape.push(length);
    let results = ArrayD::from_shape_vec(shape, results);
    let results = results.map_err(|_| Cause::Lost("the elements of a line"))?;
    let mut order: Vec<_> = (0..rank.saturating_sub(1)).collect();
    order.insert(axis, rank - 1);
    Ok(Tensor::from(results.permuted_axes(order)))
}
