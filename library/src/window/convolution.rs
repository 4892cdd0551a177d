//! Convolutions.

use super::{Padding, Window, around::padded_with, pointwise, steps::Moves};
use crate::{builder::Error, term::Term};
use iree_abi::Dim;
use iree_dsl_ir::{
    Scalar,
    op::{Convolution, Op, WindowStep},
};

/// Where the axes are: of the input and the result first that of the batch and that of the features, of the kernel that of the
/// features of the result and that of those of the input, and then the spatial ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Those of the input.
    pub input: Vec<usize>,
    /// Those of the kernel.
    pub kernel: Vec<usize>,
    /// Those of the result.
    pub output: Vec<usize>,
}

/// The sums of the products of a kernel and each window of an input, features in groups.
pub fn convolution<'x, V: Clone>(
    input: &Term<'x, V>,
    kernel: &Term<'x, V>,
    windows: &[Window],
    layout: Layout,
    groups: usize,
) -> Term<'x, V> {
    let Moves { steps, around } = match Moves::new(input, windows) {
        Ok(moves) => moves,
        Err(error) => return input.failed(error),
    };
    let input = padded_with(input, &around, Scalar::Integer(0));
    convolve(&input, kernel, steps, layout, groups)
}

/// As in JAX: a convolution of the input with as many zeros between its elements as strides say.
pub fn transposed_convolution<'x, V: Clone>(
    input: &Term<'x, V>,
    kernel: &Term<'x, V>,
    windows: &[Window],
    layout: Layout,
) -> Term<'x, V> {
    let enlarged = windows.iter().map(|window| enlarged(input, window));
    match enlarged.collect() {
        Ok(steps) => convolve(input, kernel, steps, layout, 1),
        Err(error) => input.failed(error),
    }
}

fn convolve<'x, V: Clone>(
    input: &Term<'x, V>,
    kernel: &Term<'x, V>,
    steps: Vec<WindowStep>,
    layout: Layout,
    groups: usize,
) -> Term<'x, V> {
    let op = Convolution {
        steps,
        groups,
        input: layout.input,
        kernel: layout.kernel,
        output: layout.output,
    };
    let product = pointwise::product(&op, input, kernel);
    product.unwrap_or_else(|| input.emit(Op::Convolution(op), &[kernel]))
}

/// How a window moves over an input that is enlarged by the strides of the window.
fn enlarged<V: Clone>(input: &Term<'_, V>, window: &Window) -> Result<WindowStep, Error> {
    if window.stride > 1 {
        input.require_one_along(window.axis);
    }
    let padding = match window.padding {
        Padding::Explicit(low, high) => Some((low, high)),
        Padding::Same => enlarged_same(window),
        Padding::Valid => enlarged_valid(window),
    };
    let misfit = || {
        let shape = input.shape();
        let dim = shape.dims().get(window.axis);
        window.misfit(dim.cloned().unwrap_or(Dim::Static(1)))
    };
    Ok(WindowStep {
        padding: padding.ok_or_else(misfit)?,
        stride: 1,
        dilation: window.dilation,
        input_dilation: window.stride,
    })
}

/// The padding with which the result is `stride` times as large.
fn enlarged_same(window: &Window) -> Option<(i64, i64)> {
    let (reach, stride) = reach_and_stride(window)?;
    let total = reach.checked_add(stride)?.checked_sub(2)?;
    let low = match stride > reach - 1 {
        true => reach - 1,
        false => total - total / 2,
    };
    Some((low, total - low))
}

/// The padding with which every element of the result sees one of the input, or has a window between.
fn enlarged_valid(window: &Window) -> Option<(i64, i64)> {
    let (reach, stride) = reach_and_stride(window)?;
    let total = reach.checked_add(stride)?.checked_sub(2)? + (reach - stride).max(0);
    Some((reach - 1, total - (reach - 1)))
}

fn reach_and_stride(window: &Window) -> Option<(i64, i64)> {
    let (reach, stride) = (window.reach()?, window.stride);
    Some((i64::try_from(reach).ok()?, i64::try_from(stride).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_padding_of_the_enlarged_is_that_of_jax() {
        let window = |size, stride| Window {
            axis: 0,
            size,
            stride,
            dilation: 1,
            input_dilation: 1,
            padding: Padding::Same,
        };
        assert_eq!(enlarged_same(&window(3, 2)), Some((2, 1)));
        assert_eq!(enlarged_same(&window(2, 3)), Some((1, 2)));
        assert_eq!(enlarged_same(&window(5, 2)), Some((3, 2)));
        assert_eq!(enlarged_valid(&window(3, 2)), Some((2, 2)));
        assert_eq!(enlarged_valid(&window(2, 3)), Some((1, 2)));
    }
}
