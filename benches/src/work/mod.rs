//! What is timed, one file for each kind of work.

mod attention;
mod conv;
mod gelu;
mod gradients;
pub(crate) mod in_candle;
mod layer_norm;
mod matmul;
mod mlp;
mod softmax;
mod sum;

use crate::{
    options::Options,
    side::{Calls, Prepared},
};
use anyhow::Result;
use half::bf16;
use iree_dsl::{Device, DeviceArray, Element};
use ndarray::{ArrayD, Dimension};

/// Makes work ready on the host, from its inputs.
pub(crate) type Prepare = fn(&[ArrayD<f32>]) -> Result<Box<dyn Prepared>>;

/// A piece of work, and how each side does it.
pub(crate) struct Work {
    pub(crate) name: &'static str,
    /// Makes the arrays that every side is given.
    pub(crate) inputs: fn() -> Vec<ArrayD<f32>>,
    pub(crate) ours: fn(&Device, &[ArrayD<f32>]) -> Result<Box<dyn Prepared>>,
    pub(crate) python: InPython,
    pub(crate) candle: Option<Prepare>,
    pub(crate) ndarray: Option<Prepare>,
    /// How far results may be apart, as a part of the largest number.
    pub(crate) tolerance: f32,
}

/// What the scripts are asked for.
#[derive(Clone, Copy)]
pub(crate) struct InPython {
    pub(crate) name: &'static str,
    /// Whether the inputs are converted first.
    pub(crate) bf16: bool,
}

impl InPython {
    pub(crate) const fn of(name: &'static str) -> Self {
        Self { name, bf16: false }
    }
}

/// What is asked for.
pub(crate) fn of(options: &Options) -> Box<dyn Iterator<Item = Work>> {
    match options.gradients {
        true => Box::new(gradients::all()),
        false => Box::new(all()),
    }
}

/// In the order of the rows.
fn all() -> impl Iterator<Item = Work> {
    let first = [gelu::WORK, layer_norm::WORK, softmax::WORK, attention::WORK];
    let second = [conv::NHWC, conv::NCHW, mlp::WORK];
    let last = [sum::WORK];
    first
        .into_iter()
        .chain(second)
        .chain(matmul::ALL)
        .chain(last)
}

/// An array of numbers between -1 and 1 that are the same in each run, and different for another `seed`.
/// All of them are numbers of `bf16`.
fn numbers(shape: &[usize], seed: u32) -> ArrayD<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
    ArrayD::from_shape_simple_fn(shape, || {
        // Marsaglia's xorshift generator.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        bf16::from_f32(state as f32 / u32::MAX as f32 * 2.0 - 1.0).to_f32()
    })
}

/// An array on the device.
fn upload<D: Dimension>(device: &Device, array: &ArrayD<f32>) -> Result<DeviceArray<f32, D>> {
    let array = array.view().into_dimensionality::<D>()?;
    Ok(device.upload(array)?)
}

/// Work of ours, from a call of a procedure.
pub(crate) fn ours<T: Element + Into<f32>, D: Dimension>(
    mut call: impl FnMut() -> iree_dsl::Result<DeviceArray<T, D>> + 'static,
) -> Box<dyn Prepared> {
    let finished = move || {
        let result = call()?;
        // Waits for it.
        result.view()?;
        Ok(result)
    };
    let read = |result: DeviceArray<T, D>| Ok(result.to_array()?.mapv(Into::into).into_dyn());
    Box::new(Calls::new(finished, read))
}

/// Work of ndarray.
fn in_ndarray<D: Dimension>(
    mut call: impl FnMut() -> ndarray::Array<f32, D> + 'static,
) -> Box<dyn Prepared> {
    Box::new(Calls::new(
        move || Ok(call()),
        |result| Ok(result.into_dyn()),
    ))
}
