//! Windows that move over a tensor.

use super::{Operands, at, from_indices, indices, pad::place, reduce};
use crate::{
    Array, Cause, Element, Tensor,
    tensor::{each_number, each_ordered},
};
use iree_dsl_ir::op::{ReduceWindow, WindowKind, WindowStep};

/// Outside of the tensor there is nothing, and a window of nothing gives what changes nothing.
pub(super) fn reduction(op: &ReduceWindow, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    let shape = operands.shape()?;
    match op.kind {
        WindowKind::Sum => each_number!(operand, array => {
            from_indices(shape, |index| reduce::sum(&mut window(op, array, index)?.into_iter()))
        }),
        WindowKind::Maximum | WindowKind::Minimum => each_ordered!(operand, array => {
            let kind = op.kind.reduction();
            let nothing = reduce::identity(array, kind)?;
            from_indices(shape, |index| {
                reduce::extremum(kind, &mut window(op, array, index)?.into_iter(), nothing)
            })
        }),
    }
}

/// The elements in the window with this index, in their order.
fn window<T: Element>(
    op: &ReduceWindow,
    array: &Array<T>,
    index: &[usize],
) -> Result<Vec<T>, Cause> {
    let mut elements = Vec::new();
    for offset in indices(&op.sizes) {
        let axes = op.steps.iter().zip(index).zip(&offset);
        let places = axes.zip(array.shape());
        let places =
            places.map(|(((step, index), offset), size)| source(step, *index, *offset, *size));
        if let Some(place) = places.collect::<Option<Vec<_>>>() {
            elements.push(at(array, &place)?);
        }
    }
    Ok(elements)
}

/// The place along an axis of an element of a window, if there is an element.
pub(super) fn source(
    step: &WindowStep,
    window: usize,
    element: usize,
    size: usize,
) -> Option<usize> {
    let along = window.checked_mul(step.stride)?;
    let along = along.checked_add(element.checked_mul(step.dilation)?)?;
    place(along, step.padding.0, step.input_dilation, size)
}
