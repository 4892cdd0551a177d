//! Elements along axes combined to one.

use super::{Operands, from_indices, other_axes};
use crate::{
    Array, Cause, Element, Tensor,
    arithmetic::{Bits, Number, Ordered},
    tensor::{each_number, each_ordered, of_types},
};
use iree_dsl_ir::{
    limits,
    op::{ArgReduce, ExtremumKind, Reduce, ReduceKind},
};
use ndarray::{ArrayViewD, IxDyn};

pub(super) fn evaluate(op: &Reduce, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    let (axes, shape) = (&op.axes, operands.shape()?);
    match op.kind {
        ReduceKind::Sum => {
            each_number!(operand, array => combine(array, axes, shape, |lane| sum(lane)))
        }
        ReduceKind::Product => {
            each_number!(operand, array => combine(array, axes, shape, |lane| product(lane)))
        }
        ReduceKind::Maximum | ReduceKind::Minimum => {
            each_ordered!(operand, array => {
                let nothing = identity(array, op.kind)?;
                combine(array, axes, shape, |lane| extremum(op.kind, lane, nothing))
            })
        }
        ReduceKind::All => of_types!([Bool] operand, array => {
            combine(array, axes, shape, |lane| bits(true, lane, |a, b| a & b))
        }),
        ReduceKind::Any => of_types!([Bool] operand, array => {
            combine(array, axes, shape, |lane| bits(false, lane, |a, b| a | b))
        }),
    }
}

/// Elements that become one, in their order.
pub(super) type Lane<'a, T> = &'a mut dyn Iterator<Item = T>;

/// The tensor of what becomes of the elements along some axes, for each place along the others.
fn combine<T: Element, R: Element>(
    array: &Array<T>,
    axes: &[usize],
    shape: &[usize],
    combined: impl Fn(Lane<'_, T>) -> Result<R, Cause>,
) -> Result<Tensor, Cause> {
    let kept = other_axes(array.ndim(), axes);
    let order = [kept.clone(), other_axes(array.ndim(), &kept)].concat();
    let rows = array.view().permuted_axes(IxDyn(&order));
    from_indices(shape, |index| {
        let row = row(&rows, index).ok_or(Cause::Lost("an element"))?;
        combined(&mut row.iter().copied())
    })
}

/// The part of a tensor at places along its first axes.
fn row<'a, T>(rows: &'a ArrayViewD<'_, T>, index: &[usize]) -> Option<ArrayViewD<'a, T>> {
    let first = ndarray::Axis(0);
    index.iter().try_fold(rows.view(), |row, place| {
        (*place < row.shape().first().copied()?).then(|| row.index_axis_move(first, *place))
    })
}

pub(super) fn sum<T: Number>(lane: Lane<'_, T>) -> Result<T, Cause> {
    let sum = lane.fold(T::ZERO, |sum, element| T::add(sum, element.widen()));
    Ok(T::narrow(sum))
}

pub(super) fn product<T: Number>(lane: Lane<'_, T>) -> Result<T, Cause> {
    let product = lane.fold(T::ONE, |product, element| {
        T::multiply(product, element.widen())
    });
    Ok(T::narrow(product))
}

/// The largest or smallest, or what there is of nothing.
pub(super) fn extremum<T: Ordered>(
    kind: ReduceKind,
    lane: Lane<'_, T>,
    nothing: T,
) -> Result<T, Cause> {
    let better = T::extremum(kind).ok_or(Cause::Lost("an extremum"))?;
    Ok(lane.reduce(better).unwrap_or(nothing))
}

/// What changes nothing.
pub(super) fn identity<T: Ordered>(_: &Array<T>, kind: ReduceKind) -> Result<T, Cause> {
    let bytes = limits::identity(kind, T::DTYPE).encode(T::DTYPE);
    bytes
        .map(|bytes| T::from_bytes(&bytes))
        .map_err(|_| Cause::DType(T::DTYPE))
}

fn bits<T: Bits>(first: T, lane: Lane<'_, T>, combine: fn(T, T) -> T) -> Result<T, Cause> {
    Ok(lane.fold(first, combine))
}

pub(super) fn argument(op: &ArgReduce, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    let (axes, shape) = (&[op.axis], operands.shape()?);
    each_ordered!(operand, array => combine(array, axes, shape, |lane| {
        let place = first_extremum(op.kind, lane).ok_or(Cause::Empty)?;
        i32::try_from(place).map_err(|_| Cause::Lost("a place that `i32` holds"))
    }))
}

/// Where the first NaN is, or else the first of the largest or smallest.
fn first_extremum<T: Ordered>(kind: ExtremumKind, lane: Lane<'_, T>) -> Option<usize> {
    let better = |element: T, best: T| match kind {
        ExtremumKind::Maximum => element > best,
        ExtremumKind::Minimum => element < best,
    };
    let mut elements = lane.enumerate();
    let first = elements.next()?;
    let best = elements.fold(first, |best, (place, element)| {
        let wins = element.is_nan() || better(element, best.1);
        if wins && !best.1.is_nan() {
            (place, element)
        } else {
            best
        }
    });
    Some(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_nan_is_before_all() {
        let of = |kind, lane: &[f64]| first_extremum(kind, &mut lane.iter().copied());
        let (maximum, minimum) = (ExtremumKind::Maximum, ExtremumKind::Minimum);
        assert_eq!(of(maximum, &[1.0, f64::NAN, 3.0, f64::NAN, 3.0]), Some(1));
        assert_eq!(of(maximum, &[1.0, 3.0, 3.0, 0.0]), Some(1));
        assert_eq!(of(minimum, &[1.0, 0.0, 3.0, 0.0]), Some(1));
        assert_eq!(of(minimum, &[]), None);
    }
}
