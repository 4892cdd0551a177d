//! Convolutions of two features of the input at a time.
//!
//! IREE 3.13 sums eight features at a time, in tiles that it makes as small as the vector registers want. Where these are few, the
//! tiles are of 4×4 numbers or fewer, and a convolution takes twice as long as it has to; ten times, where 4 does not divide the width.
//! With two features the tiles are of 8×8. Of a single feature they are of 1×8, so that it pays to add one of zeros. Hence the features
//! become pairs, which are places side by side along the first axis: windows that are as many times as high, and as far apart.
//! Defect `convolution-in-small-tiles`.

use super::{
    Machine,
    contract::turned,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    opaque, window,
};
use iree_abi::{Dim, Extent, Shape};
use iree_dsl_ir::{
    Scalar,
    op::{Convolution, WindowStep},
};

/// How many features are summed at a time.
const PAIR: usize = 2;

/// How many bytes of features there may be so that tiles of all of them are not too small.
const FEW: usize = 16;

/// Numbers of fewer bytes have tiles that are large enough.
const WIDE: usize = 4;

/// How many pairs the features are.
#[derive(Clone, Copy)]
pub(super) struct Pairs(usize);

impl Pairs {
    /// The pairs of a convolution, where these pay. Of one place alone IREE makes a product of matrices.
    pub(super) fn of(
        machine: Machine,
        op: &Convolution,
        input: &Tensor<'_, '_>,
        kernel: &Tensor<'_, '_>,
    ) -> Option<Self> {
        let [_, features, places @ ..] = op.kernel.as_slice() else {
            return None;
        };
        let size = |axis: &usize| kernel.ty.shape.dims().get(*axis)?.known();
        let (features, first) = (size(features)?, size(places.first()?)?);
        let is_plane = places.len() == 2 && places.iter().any(|axis| size(axis) != Some(1));
        let is_joined = op.groups == 1 && (first == 1 || op.steps.first()?.dilation == 1);
        let width = input.dtype().size();
        let has_small_tiles = width >= WIDE && (features == 1 || features * width > FEW);
        let pays = machine.has_few_registers && is_plane && is_joined && has_small_tiles;
        pays.then_some(Self(features.div_ceil(PAIR)))
    }

    /// The input with the pairs along its first spatial axis: the batch, the spatial axes, and the features of a pair. It is padded,
    /// so that the convolution does not do that.
    pub(super) fn of_input<'c, 'b>(
        self,
        emitter: &Emitter<'c, 'b>,
        op: &Convolution,
        input: &Tensor<'c, 'b>,
    ) -> Result<Tensor<'c, 'b>> {
        let [batch, feature, first, rest @ ..] = op.input.as_slice() else {
            return Err(LowerCause::Lost("the axes of a convolution"));
        };
        let around: Vec<_> = op.input.iter().skip(2).zip(&op.steps).collect();
        let padded = self.padded(emitter, input, *feature, &around)?;
        self.spread(emitter, &padded, *feature, (&[*batch, *first], rest, &[]))
    }

    /// The kernel with the pairs along its first axis: the spatial axes, the features of a pair, and those of the output.
    pub(super) fn of_kernel<'c, 'b>(
        self,
        emitter: &Emitter<'c, 'b>,
        op: &Convolution,
        kernel: &Tensor<'c, 'b>,
    ) -> Result<Tensor<'c, 'b>> {
        let [output, feature, first, rest @ ..] = op.kernel.as_slice() else {
            return Err(LowerCause::Lost("the axes of a convolution"));
        };
        let padded = self.padded(emitter, kernel, *feature, &[])?;
        self.spread(emitter, &padded, *feature, (&[*first], rest, &[*output]))
    }

    /// How the windows move over such an input.
    pub(super) fn steps(self, steps: &[WindowStep]) -> Vec<WindowStep> {
        let steps = steps.iter().enumerate();
        let moved = steps.map(|(axis, step)| {
            let (times, dilation) = match axis {
                0 => (self.0, 1),
                _ => (1, step.dilation),
            };
            WindowStep {
                stride: step.stride * times,
                dilation,
                ..WindowStep::ONE
            }
        });
        moved.collect()
    }

    /// A tensor with zeros in place of the feature that the last pair lacks, and around what windows move along.
    fn padded<'c, 'b>(
        self,
        emitter: &Emitter<'c, 'b>,
        tensor: &Tensor<'c, 'b>,
        feature: usize,
        around: &[(&usize, &WindowStep)],
    ) -> Result<Tensor<'c, 'b>> {
        let dims = tensor.ty.shape.dims();
        let features = dims.get(feature).and_then(Dim::known);
        let features = features.ok_or(LowerCause::Lost("the features"))?;
        let mut steps = vec![WindowStep::ONE; dims.len()];
        for (axis, step) in around {
            if let Some(of_axis) = steps.get_mut(**axis) {
                of_axis.padding = step.padding;
                of_axis.input_dilation = step.input_dilation;
            }
        }
        if let Some(of_features) = steps.get_mut(feature) {
            of_features.padding.1 = (self.0 * PAIR - features) as i64;
        }
        match steps.iter().all(|step| *step == WindowStep::ONE) {
            true => Ok(tensor.clone()),
            false => window::padded(emitter, &steps, tensor, Scalar::Integer(0)),
        }
    }

    /// A tensor with an axis of pairs, which is one with the last of the axes that come first, and the features of a pair behind the
    /// second axes.
    fn spread<'c, 'b>(
        self,
        emitter: &Emitter<'c, 'b>,
        tensor: &Tensor<'c, 'b>,
        feature: usize,
        (first, second, third): (&[usize], &[usize], &[usize]),
    ) -> Result<Tensor<'c, 'b>> {
        let mut dims = tensor.ty.shape.dims().to_vec();
        dims.splice(feature..=feature, [Dim::Static(self.0), Dim::Static(PAIR)]);
        let split = emitter.reshape(tensor, &Shape::new(dims))?;
        let at = |axes: &[usize]| {
            let axes = axes.iter().map(|axis| axis + usize::from(*axis > feature));
            axes.collect::<Vec<_>>()
        };
        let (pairs, of_pair) = ([feature], [feature + 1]);
        let order = [&at(first)[..], &pairs, &at(second), &of_pair, &at(third)].concat();
        let turned = turned(emitter, &opaque::identity(emitter, &split)?, order)?;
        let mut dims = turned.ty.shape.dims().to_vec();
        let joined = first.len() - 1;
        let size = dims.get(joined).and_then(Dim::extent);
        let size = size.and_then(|size| size.times(&Extent::from(self.0)));
        let size = size.and_then(Dim::from_extent);
        let size = size.ok_or(LowerCause::Lost("the size of an axis"))?;
        dims.splice(joined..=joined + 1, [size]);
        let merged = emitter.reshape(&turned, &Shape::new(dims))?;
        opaque::unfused(emitter, &merged)
    }
}
