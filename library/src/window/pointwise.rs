//! Convolutions whose windows are single elements: products along the features.

use crate::term::Term;
use iree_abi::{Dim, Shape};
use iree_dsl_ir::op::{Convolution, DotGeneral, Op, WindowStep};

/// A convolution as a product, if each element of the result is computed of one place of the input.
pub(super) fn product<'x, V: Clone>(
    op: &Convolution,
    input: &Term<'x, V>,
    kernel: &Term<'x, V>,
) -> Option<Term<'x, V>> {
    let ([batch, features, spatial @ ..], [outputs, inputs, window @ ..]) =
        (op.input.as_slice(), op.kernel.as_slice())
    else {
        return None;
    };
    let (input_shape, kernel_shape) = (input.shape(), kernel.shape());
    let (dims, sizes) = (input_shape.dims(), kernel_shape.dims());
    let mut window = window.iter().map(|axis| sizes.get(*axis));
    let is_one = window.all(|dim| dim.is_some_and(Dim::is_one));
    let summed = dims.get(*features)?;
    if op.groups != 1
        || !is_one
        || !op.steps.iter().all(stays)
        || sizes.get(*inputs) != Some(summed)
    {
        return None;
    }
    let matrix = [*outputs.min(inputs), *outputs.max(inputs)];
    let matrix: Option<Vec<_>> = matrix
        .map(|axis| sizes.get(axis).cloned())
        .into_iter()
        .collect();
    let product = DotGeneral {
        batch: (Vec::new(), Vec::new()),
        contract: (vec![*features], vec![usize::from(inputs > outputs)]),
        dtype: input.dtype(),
    };
    let product = input.emit(
        Op::DotGeneral(product),
        &[&kernel.reshape(&Shape::new(matrix?))],
    );
    // The product has the other axes of the input in their order, and then the features.
    let place = |axis: &usize| axis - usize::from(axis > features);
    let places = [place(batch), dims.len() - 1].into_iter();
    let places = places.chain(spatial.iter().map(place));
    let mut permutation = vec![0; dims.len()];
    for (axis, place) in op.output.iter().zip(places) {
        *permutation.get_mut(*axis)? = place;
    }
    Some(product.transposed(permutation))
}

/// Whether windows of one element are the elements.
fn stays(step: &WindowStep) -> bool {
    (step.stride, step.padding, step.input_dilation) == (1, (0, 0), 1)
}
