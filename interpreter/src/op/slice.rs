//! Parts of tensors, and tensors made of parts.

use super::{Operands, array, at, from_indices, places_of};
use crate::{Array, Cause, Element, Tensor, tensor::each};
use iree_abi::Dim;
use iree_dsl_ir::op::{DynamicSlice, Slice};
use ndarray::Axis;

pub(super) fn evaluate(op: &Slice, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    let mut starts = Vec::with_capacity(op.start.len());
    let bounds = op.start.iter().zip(&op.limit).zip(operand.shape());
    for (axis, ((start, limit), &size)) in bounds.enumerate() {
        let start = operands.sizes.value(start)?;
        let limit = operands.sizes.value(limit)?;
        let inside = 0 <= start && start <= limit && limit <= size as i128;
        let first = usize::try_from(start).ok().filter(|_| inside);
        starts.push(first.ok_or(Cause::Bounds {
            axis,
            start,
            limit,
            size,
        })?);
    }
    let place = |index: &[usize]| -> Vec<usize> {
        let steps = index.iter().zip(&starts).zip(&op.stride);
        steps
            .map(|((index, start), stride)| start + index * stride)
            .collect()
    };
    let shape = operands.shape()?;
    each!(operand, array => from_indices(shape, |index| at(array, &place(index))))
}

pub(super) fn dynamic(op: &DynamicSlice, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let (operand, starts) = split_first(operands.operands)?;
    let window = operands.shape()?;
    let parts = op.sizes.dims();
    let starts = starts_of(starts, operand.shape(), window, (operands.dims(0), parts))?;
    each!(operand, array => from_indices(window, |index| at(array, &moved(index, &starts))))
}

pub(super) fn dynamic_update(operands: &Operands<'_>) -> Result<Tensor, Cause> {
    fn replace<T: Element>(
        operand: &Array<T>,
        update: &Array<T>,
        starts: &[usize],
    ) -> Result<Tensor, Cause> {
        let mut result = operand.clone();
        for (index, element) in update.indexed_iter() {
            let index = moved(&places_of(&index), starts);
            let place = result.get_mut(index.as_slice());
            *place.ok_or(Cause::Lost("an element"))? = *element;
        }
        Ok(T::tensor(result))
    }
    let (operand, rest) = split_first(operands.operands)?;
    let (update, starts) = split_first(rest)?;
    let dims = (operands.dims(0), operands.dims(1));
    let starts = starts_of(starts, operand.shape(), update.shape(), dims)?;
    each!(operand, operand => replace(operand, array(update)?, &starts))
}

fn split_first(operands: &[Tensor]) -> Result<(&Tensor, &[Tensor]), Cause> {
    operands.split_first().ok_or(Cause::Lost("an operand"))
}

fn moved(index: &[usize], starts: &[usize]) -> Vec<usize> {
    let places = index.iter().zip(starts);
    places.map(|(index, start)| index + start).collect()
}

/// Where a window starts along each axis: where the operands say, or as near to that as it fits.
fn starts_of(
    starts: &[Tensor],
    sizes: &[usize],
    window: &[usize],
    (whole, parts): (&[Dim], &[Dim]),
) -> Result<Vec<usize>, Cause> {
    let dims = whole.iter().zip(parts);
    let mut places = Vec::with_capacity(starts.len());
    for (((start, size), part), dims) in starts.iter().zip(sizes).zip(window).zip(dims) {
        let start = array::<i32>(start)?.first().copied();
        let start = start.ok_or(Cause::Lost("a start"))?;
        let last = size.checked_sub(*part).ok_or_else(|| Cause::Window {
            part: dims.1.clone(),
            size: dims.0.clone(),
        })?;
        places.push(usize::try_from(start).unwrap_or(0).min(last));
    }
    Ok(places)
}

pub(super) fn concatenate(axis: usize, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let (first, _) = split_first(operands.operands)?;
    fn join<T: Element>(_: &Array<T>, operands: &[Tensor], axis: usize) -> Result<Tensor, Cause> {
        let arrays = operands.iter().map(array::<T>);
        let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
        let views: Vec<_> = arrays.iter().map(|array| array.view()).collect();
        let shape = |index: usize| arrays.get(index).map(|array| array.shape().to_vec());
        let joined = ndarray::concatenate(Axis(axis), &views);
        joined.map(Tensor::from).map_err(|_| Cause::Sizes {
            expected: shape(0).unwrap_or_default(),
            found: shape(1).unwrap_or_default(),
        })
    }
    each!(first, array => join(array, operands.operands, axis))
}
