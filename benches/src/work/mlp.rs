//! Three layers on 64 rows.

use super::{InPython, Prepare, Work, in_candle, in_ndarray, numbers, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{Array2, Ix1, Ix2};

#[program]
mod mlp {
    pub struct Mlp;

    impl Mlp {
        pub fn run(
            &self,
            x: Tensor<f32, 64, 784>,
            w1: Tensor<f32, 784, 512>,
            b1: Tensor<f32, 512>,
            w2: Tensor<f32, 512, 512>,
            b2: Tensor<f32, 512>,
            w3: Tensor<f32, 512, 10>,
            b3: Tensor<f32, 10>,
        ) -> Tensor<f32, 64, 10> {
            let x = (x.dot(w1) + b1).relu();
            let x = (x.dot(w2) + b2).relu();
            x.dot(w3) + b3
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "MLP, 64×784-512-512-10",
    inputs: || {
        let shapes: [&[usize]; 7] = [
            &[64, 784],
            &[784, 512],
            &[512],
            &[512, 512],
            &[512],
            &[512, 10],
            &[10],
        ];
        (1..)
            .zip(shapes)
            .map(|(seed, shape)| numbers(shape, seed))
            .collect()
    },
    ours: |device, inputs| {
        let program = mlp::Mlp::load(device)?;
        let matrix = |index: usize| upload::<Ix2>(device, &inputs[index]);
        let vector = |index: usize| upload::<Ix1>(device, &inputs[index]);
        let (x, w1, w2, w3) = (matrix(0)?, matrix(1)?, matrix(3)?, matrix(5)?);
        let (b1, b2, b3) = (vector(2)?, vector(4)?, vector(6)?);
        Ok(ours(move || program.run(&x, &w1, &b1, &w2, &b2, &w3, &b3)))
    },
    python: InPython::of("mlp"),
    candle: Some(CANDLE),
    ndarray: Some(NDARRAY),
    tolerance: 1e-5,
};

const CANDLE: Prepare = |inputs| {
    let [x, w1, b1, w2, b2, w3, b3] = in_candle::tensors(inputs)?;
    Ok(in_candle::ready(move || {
        let x = x.matmul(&w1)?.broadcast_add(&b1)?.relu()?;
        let x = x.matmul(&w2)?.broadcast_add(&b2)?.relu()?;
        x.matmul(&w3)?.broadcast_add(&b3)
    }))
};

const NDARRAY: Prepare = |inputs| {
    let matrix = |index: usize| inputs[index].clone().into_dimensionality::<Ix2>();
    let vector = |index: usize| inputs[index].clone().into_dimensionality::<Ix1>();
    let (x, w1, w2, w3) = (matrix(0)?, matrix(1)?, matrix(3)?, matrix(5)?);
    let (b1, b2, b3) = (vector(2)?, vector(4)?, vector(6)?);
    let relu = |x: Array2<f32>| x.mapv_into(|x| x.max(0.0));
    Ok(in_ndarray(move || {
        let x = relu(x.dot(&w1) + &b1);
        let x = relu(x.dot(&w2) + &b2);
        x.dot(&w3) + &b3
    }))
};
