//! Arrays in candle and back.

use crate::side::{Calls, Prepared};
use anyhow::Result;
use candle_core::{DType, Device, Tensor};
use ndarray::ArrayD;

/// Work of candle.
pub(crate) fn ready(
    call: impl FnMut() -> candle_core::Result<Tensor> + 'static,
) -> Box<dyn Prepared> {
    let mut call = call;
    let read = |result: Tensor| {
        let numbers = result.to_dtype(DType::F32)?.flatten_all()?.to_vec1()?;
        Ok(ArrayD::from_shape_vec(result.dims(), numbers)?)
    };
    Box::new(Calls::new(move || Ok(call()?), read))
}

/// The arrays as tensors.
pub(super) fn tensors<const N: usize>(arrays: &[ArrayD<f32>]) -> Result<[Tensor; N]> {
    let tensor = |array: &ArrayD<f32>| {
        let numbers = array.iter().copied().collect::<Vec<_>>();
        Tensor::from_vec(numbers, array.shape(), &Device::Cpu)
    };
    let tensors: Vec<_> = arrays
        .iter()
        .map(tensor)
        .collect::<candle_core::Result<_>>()?;
    let count = tensors.len();
    let exact = tensors.try_into();
    exact.map_err(|_| anyhow::anyhow!("{count} inputs instead of {N}"))
}
