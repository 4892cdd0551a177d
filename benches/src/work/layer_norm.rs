//! Rows with mean 0 and variance 1, scaled and shifted.

use super::{InPython, Prepare, Work, in_candle, in_ndarray, numbers, ours, upload};
use candle_nn::{LayerNorm, Module};
use iree_dsl::prelude::*;
use ndarray::{Axis, Ix1, Ix2, Zip};

const EPSILON: f32 = 1e-5;

#[program]
mod layer_norm {
    pub struct LayerNorm;

    impl LayerNorm {
        pub fn run(
            &self,
            x: Tensor<f32, 4096, 1024>,
            scale: Tensor<f32, 1024>,
            shift: Tensor<f32, 1024>,
        ) -> Tensor<f32, 4096, 1024> {
            let centred = x - x.mean_axis(-1).insert_axis(-1);
            let variance = (centred * centred).mean_axis(-1).insert_axis(-1);
            centred * (variance + 1e-5).rsqrt() * scale + shift
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "layer norm, 4096×1024",
    inputs: || {
        vec![
            numbers(&[4096, 1024], 1),
            numbers(&[1024], 2),
            numbers(&[1024], 3),
        ]
    },
    ours: |device, inputs| {
        let program = layer_norm::LayerNorm::load(device)?;
        let x = upload::<Ix2>(device, &inputs[0])?;
        let (scale, shift) = (
            upload::<Ix1>(device, &inputs[1])?,
            upload::<Ix1>(device, &inputs[2])?,
        );
        Ok(ours(move || program.run(&x, &scale, &shift)))
    },
    python: InPython::of("layer norm"),
    candle: Some(CANDLE),
    ndarray: Some(NDARRAY),
    tolerance: 1e-5,
};

const CANDLE: Prepare = |inputs| {
    let [x, scale, shift] = in_candle::tensors(inputs)?;
    let layer = LayerNorm::new(scale, shift, EPSILON.into());
    Ok(in_candle::ready(move || layer.forward(&x)))
};

const NDARRAY: Prepare = |inputs| {
    let x = inputs[0].clone().into_dimensionality::<Ix2>()?;
    let scale = inputs[1].clone().into_dimensionality::<Ix1>()?;
    let shift = inputs[2].clone().into_dimensionality::<Ix1>()?;
    Ok(in_ndarray(move || {
        let mut y = x.clone();
        Zip::from(y.axis_iter_mut(Axis(0))).par_for_each(|mut row| {
            let length = row.len() as f32;
            row -= row.sum() / length;
            let variance = row.dot(&row) / length;
            row /= (variance + EPSILON).sqrt();
            row *= &scale;
            row += &shift;
        });
        y
    }))
};
