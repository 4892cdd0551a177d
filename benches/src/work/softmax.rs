//! The softmax of rows.

use super::{InPython, Prepare, Work, in_candle, in_ndarray, numbers, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{ArrayViewMut1, Axis, Ix2, Zip};

#[program]
mod softmax {
    pub struct Softmax;

    impl Softmax {
        pub fn run(&self, x: Tensor<f32, 4096, 1024>) -> Tensor<f32, 4096, 1024> {
            x.softmax(-1)
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "softmax, 4096×1024",
    inputs: || vec![numbers(&[4096, 1024], 1)],
    ours: |device, inputs| {
        let program = softmax::Softmax::load(device)?;
        let x = upload::<Ix2>(device, &inputs[0])?;
        Ok(ours(move || program.run(&x)))
    },
    python: InPython::of("softmax"),
    candle: Some(CANDLE),
    ndarray: Some(NDARRAY),
    tolerance: 1e-5,
};

const CANDLE: Prepare = |inputs| {
    let [x] = in_candle::tensors(inputs)?;
    Ok(in_candle::ready(move || {
        candle_nn::ops::softmax_last_dim(&x)
    }))
};

const NDARRAY: Prepare = |inputs| {
    let x = inputs[0].clone().into_dimensionality::<Ix2>()?;
    Ok(in_ndarray(move || {
        let mut y = x.clone();
        Zip::from(y.axis_iter_mut(Axis(0))).par_for_each(of_row);
        y
    }))
};

/// The softmax of a row, in its place.
pub(super) fn of_row(mut row: ArrayViewMut1<'_, f32>) {
    let largest = row.fold(f32::NEG_INFINITY, |most, x| most.max(*x));
    row.mapv_inplace(|x| (x - largest).exp());
    row /= row.sum();
}
