//! Rows with mean 0 and variance 1, scaled and shifted.

use super::{InPython, Work, inputs, listed, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{Ix1, Ix2};

#[program]
mod layer_norm {
    pub struct LayerNorm;

    type Rows = Tensor<f32, 4096, 1024>;
    type Row = Tensor<f32, 1024>;

    impl LayerNorm {
        pub fn run(&self, x: Rows, weight: Rows, scale: Row, shift: Row) -> (Rows, Row, Row) {
            let loss = |x: Rows, scale: Row, shift: Row| {
                let centred = x - x.mean_axis(-1).insert_axis(-1);
                let variance = (centred * centred).mean_axis(-1).insert_axis(-1);
                let y = centred * (variance + 1e-5).rsqrt() * scale + shift;
                (y * weight).sum()
            };
            grad::<0, 1, 2>(loss)(x, scale, shift)
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "layer norm, 4096×1024",
    inputs: || inputs(&[&[4096, 1024], &[4096, 1024], &[1024], &[1024]]),
    ours: |device, inputs| {
        let program = layer_norm::LayerNorm::load(device)?;
        let x = upload::<Ix2>(device, &inputs[0])?;
        let weight = upload::<Ix2>(device, &inputs[1])?;
        let scale = upload::<Ix1>(device, &inputs[2])?;
        let shift = upload::<Ix1>(device, &inputs[3])?;
        Ok(ours(
            move || listed!(a, b, c: program.run(&x, &weight, &scale, &shift)),
        ))
    },
    python: InPython::of("layer norm gradient"),
    candle: None,
    ndarray: None,
    tolerance: 1e-4,
};
