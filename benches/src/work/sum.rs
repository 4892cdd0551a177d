//! The sum of 16 million numbers.

use super::{InPython, Prepare, Work, in_candle, in_ndarray, numbers, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{Axis, Ix1, arr0, parallel::prelude::*};

const COUNT: usize = 1 << 24;

#[program]
mod sum {
    pub struct Sum;

    impl Sum {
        pub fn run(&self, x: Tensor<f32, { 1 << 24 }>) -> Tensor<f32> {
            x.sum()
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "sum, 16 M",
    // Of numbers of one sign, so that the sum is as precise as they are.
    inputs: || vec![numbers(&[COUNT], 1).mapv(f32::abs)],
    ours: |device, inputs| {
        let program = sum::Sum::load(device)?;
        let x = upload::<Ix1>(device, &inputs[0])?;
        Ok(ours(move || program.run(&x)))
    },
    python: InPython::of("sum"),
    candle: Some(CANDLE),
    ndarray: Some(NDARRAY),
    tolerance: 1e-3,
};

const CANDLE: Prepare = |inputs| {
    let [x] = in_candle::tensors(inputs)?;
    Ok(in_candle::ready(move || x.sum_all()))
};

const NDARRAY: Prepare = |inputs| {
    let x = inputs[0].clone().into_dimensionality::<Ix1>()?;
    Ok(in_ndarray(move || {
        let parts = x.axis_chunks_iter(Axis(0), 1 << 16).into_par_iter();
        arr0(parts.map(|part| part.sum()).sum())
    }))
};
