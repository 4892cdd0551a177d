//! Sums of products of a kernel with the windows of an input.

use super::{Operands, array, indices, sizes_along, window::source};
use crate::{
    Array, Cause, Tensor,
    arithmetic::Number,
    tensor::{each_number, from_elements},
};
use iree_dsl_ir::op::Convolution;
use ndarray::{ArrayD, IxDyn};

/// Brings the axes of the operands into the order of their roles and sums products in that order.
pub(super) fn evaluate(op: &Convolution, operands: &Operands<'_>) -> Result<Tensor, Cause> {
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
    let (input, kernel) = (
        Planes::new(input, &op.input)?,
        Planes::new(kernel, &op.kernel)?,
    );
    let roles = sizes_along(shape, &op.output);
    let places = roles.get(2..).ok_or(AXIS)?;
    // How many output features a group has.
    let group = kernel.count.checked_div(op.groups).unwrap_or(0).max(1);
    let mut sums = Vec::with_capacity(roles.iter().product());
    for place in indices(places) {
        let taps = taps(op, &place, &kernel.sizes, &input.sizes);
        for batch in 0..input.count {
            for feature in 0..kernel.count {
                let first = feature / group * kernel.features;
                let planes = (0..kernel.features).map(|of_kernel| {
                    let (from, by) = (first + of_kernel, of_kernel);
                    (input.plane(batch, from), kernel.plane(feature, by))
                });
                let sum = sum::<T>(planes, &taps).ok_or(Cause::Lost("an element"))?;
                sums.push(T::narrow(sum));
            }
        }
    }
    in_order(op, &roles, sums, shape)
}

const AXIS: Cause = Cause::Lost("an axis of a convolution");

/// What an element of the kernel is multiplied with: where that and this are among the numbers of their planes.
struct Tap {
    of_input: usize,
    of_kernel: usize,
}

/// What is multiplied for one place of the result; outside of the input there is nothing.
fn taps(op: &Convolution, place: &[usize], window: &[usize], sizes: &[usize]) -> Vec<Tap> {
    let taps = (0..)
        .zip(indices(window))
        .filter_map(|(of_kernel, offset)| {
            let axes = op.steps.iter().zip(place).zip(&offset).zip(sizes);
            let mut of_input = 0;
            for (((step, place), offset), size) in axes {
                of_input = of_input * size + source(step, *place, *offset, *size)?;
            }
            Some(Tap {
                of_input,
                of_kernel,
            })
        });
    taps.collect()
}

/// The sum over planes of the input, each with that of the kernel which it is multiplied with.
fn sum<'a, T: Number>(
    planes: impl Iterator<Item = (&'a [T::Wide], &'a [T::Wide])>,
    taps: &[Tap],
) -> Option<T::Wide>
where
    T::Wide: 'a,
{
    let mut sum = T::ZERO;
    for (input, kernel) in planes {
        for tap in taps {
            let (a, b) = (input.get(tap.of_input)?, kernel.get(tap.of_kernel)?);
            sum = T::add(sum, T::multiply(*a, *b));
        }
    }
    Some(sum)
}

/// Numbers in planes: one for each feature of each of so many.
struct Planes<T: Number> {
    numbers: Vec<T::Wide>,
    count: usize,
    features: usize,
    /// Of a plane, along the axes that a window moves along.
    sizes: Vec<usize>,
}

impl<T: Number> Planes<T> {
    fn new(array: &Array<T>, axes: &[usize]) -> Result<Self, Cause> {
        let turned = array.view().permuted_axes(IxDyn(axes));
        let [count, features, sizes @ ..] = turned.shape() else {
            return Err(AXIS);
        };
        Ok(Self {
            numbers: turned.iter().map(|number| number.widen()).collect(),
            count: *count,
            features: *features,
            sizes: sizes.to_vec(),
        })
    }

    fn plane(&self, number: usize, feature: usize) -> &[T::Wide] {
        let size: usize = self.sizes.iter().product();
        let start = (number * self.features + feature) * size;
        let plane = self.numbers.get(start..start + size);
        plane.unwrap_or_default()
    }
}

/// Brings the axes of a result into their own order: the places come first, then the batch and the features.
fn in_order<T: Number>(
    op: &Convolution,
    roles: &[usize],
    sums: Vec<T>,
    shape: &[usize],
) -> Result<Tensor, Cause> {
    let mut sizes = roles.to_vec();
    sizes.rotate_left(2);
    let sums = ArrayD::from_shape_vec(sizes, sums);
    let sums = sums.map_err(|_| Cause::Lost("the elements of a convolution"))?;
    let mut axes = op.output.clone();
    axes.rotate_left(2);
    let place = |axis| axes.iter().position(|other| *other == axis);
    let order: Option<Vec<_>> = (0..shape.len()).map(place).collect();
    let turned = sums.permuted_axes(IxDyn(&order.ok_or(AXIS)?));
    from_elements(shape, turned.iter().copied().collect())
}
