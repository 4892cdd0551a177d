//! Windows that move over a tensor.

use super::{Operands, array, at, from_indices, indices, pad::place, reduce};
use crate::{
    Array, Cause, Element, Tensor,
    arithmetic::Number,
    tensor::{each_number, each_ordered},
};
use iree_dsl_ir::op::{Convolution, ReduceWindow, WindowKind, WindowStep};
use ndarray::IxDyn;

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
fn source(step: &WindowStep, window: usize, element: usize, size: usize) -> Option<usize> {
    let along = window.checked_mul(step.stride)?;
    let along = along.checked_add(element.checked_mul(step.dilation)?)?;
    place(along, step.padding.0, step.input_dilation, size)
}

/// Brings the axes of all tensors into the order of their roles and sums products in that order.
pub(super) fn convolution(op: &Convolution, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [input, kernel] = operands.exactly()?;
    let shape = operands.shape()?;
    each_number!(input, input => convolve(op, input, array(kernel)?, shape))
}

fn convolve<T: Number>(
    op: &Convolution,
    input: &Array<T>,
    kernel: &Array<T>,
    shape: &[usize],
) -> Result<Tensor, Cause> {
    let turned = |array: &Array<T>, axes: &[usize]| array.clone().permuted_axes(IxDyn(axes));
    let (input, kernel) = (turned(input, &op.input), turned(kernel, &op.kernel));
    let [outputs, inputs, window @ ..] = kernel.shape() else {
        return Err(Cause::Lost("an axis of the kernel"));
    };
    // How many output features a group has.
    let group = outputs.checked_div(op.groups).unwrap_or(0).max(1);
    from_indices(shape, |index| {
        let [batch, feature, places @ ..] = &roles(&op.output, index)[..] else {
            return Err(Cause::Lost("an axis of the result"));
        };
        let first = feature / group * inputs;
        let mut sum = T::ZERO;
        for input_feature in 0..*inputs {
            for offset in indices(window) {
                let sizes = input.shape().iter().skip(2);
                let axes = op.steps.iter().zip(places).zip(&offset).zip(sizes);
                let source = axes
                    .map(|(((step, place), offset), size)| source(step, *place, *offset, *size));
                let Some(source) = source.collect::<Option<Vec<_>>>() else {
                    continue;
                };
                let of_input = [&[*batch, first + input_feature], source.as_slice()].concat();
                let of_kernel = [&[*feature, input_feature], offset.as_slice()].concat();
                let (a, b) = (at(&input, &of_input)?, at(&kernel, &of_kernel)?);
                sum = T::add(sum, T::multiply(a.widen(), b.widen()));
            }
        }
        Ok(T::narrow(sum))
    })
}

/// The index in the order of the roles of the axes.
fn roles(axes: &[usize], index: &[usize]) -> Vec<usize> {
    let index = axes.iter().filter_map(|axis| index.get(*axis));
    index.copied().collect()
}
