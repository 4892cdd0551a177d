//! A chain of elementwise operations on 16 million numbers.

use super::{InPython, Prepare, Work, in_candle, in_ndarray, numbers, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{Array2, Ix1, Ix2, Zip};

const ROWS: usize = 4096;
const COLUMNS: usize = 4096;

#[program]
mod gelu {
    pub struct Gelu;

    impl Gelu {
        pub fn run(
            &self,
            x: Tensor<f32, 4096, 4096>,
            w: Tensor<f32, 4096>,
            b: Tensor<f32, 4096>,
        ) -> Tensor<f32, 4096, 4096> {
            (x * w + b).gelu()
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "gelu(x * w + b), 16 M",
    inputs: || {
        vec![
            numbers(&[ROWS, COLUMNS], 1),
            numbers(&[COLUMNS], 2),
            numbers(&[COLUMNS], 3),
        ]
    },
    ours: |device, inputs| {
        let program = gelu::Gelu::load(device)?;
        let x = upload::<Ix2>(device, &inputs[0])?;
        let (w, b) = (
            upload::<Ix1>(device, &inputs[1])?,
            upload::<Ix1>(device, &inputs[2])?,
        );
        Ok(ours(move || program.run(&x, &w, &b)))
    },
    python: InPython::of("gelu"),
    candle: Some(CANDLE),
    ndarray: Some(NDARRAY),
    tolerance: 1e-5,
};

const CANDLE: Prepare = |inputs| {
    let [x, w, b] = in_candle::tensors(inputs)?;
    let call = move || x.broadcast_mul(&w)?.broadcast_add(&b)?.gelu_erf();
    Ok(in_candle::ready(call))
};

const NDARRAY: Prepare = |inputs| {
    let x = inputs[0].clone().into_dimensionality::<Ix2>()?;
    let w = inputs[1].clone().into_dimensionality::<Ix1>()?;
    let b = inputs[2].clone().into_dimensionality::<Ix1>()?;
    Ok(in_ndarray(move || {
        let mut y = Array2::zeros(x.raw_dim());
        let zip = Zip::from(&mut y)
            .and(&x)
            .and_broadcast(&w)
            .and_broadcast(&b);
        zip.par_for_each(|y, x, w, b| {
            let z = x * w + b;
            *y = 0.5 * z * libm::erfcf(-z * std::f32::consts::FRAC_1_SQRT_2);
        });
        y
    }))
};
