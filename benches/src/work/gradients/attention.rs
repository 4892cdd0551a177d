//! Attention with 12 heads.

use super::{InPython, Work, inputs, listed, ours, upload};
use iree_dsl::prelude::*;
use ndarray::Ix4;

const SHAPE: [usize; 4] = [4, 12, 256, 64];

#[program]
mod attention {
    pub struct Attention;

    type Heads = Tensor<f32, 4, 12, 256, 64>;

    impl Attention {
        pub fn run(&self, q: Heads, k: Heads, v: Heads, weight: Heads) -> (Heads, Heads, Heads) {
            let loss = |q: Heads, k: Heads, v: Heads| {
                let scores = einsum!("bhqd,bhkd->bhqk", q, k) / 8.0;
                (scores.softmax(-1).matmul(v) * weight).sum()
            };
            grad::<0, 1, 2>(loss)(q, k, v)
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "attention, 4×12×256×64",
    inputs: || inputs(&[&SHAPE, &SHAPE, &SHAPE, &SHAPE]),
    ours: |device, inputs| {
        let program = attention::Attention::load(device)?;
        let q = upload::<Ix4>(device, &inputs[0])?;
        let k = upload::<Ix4>(device, &inputs[1])?;
        let v = upload::<Ix4>(device, &inputs[2])?;
        let weight = upload::<Ix4>(device, &inputs[3])?;
        Ok(ours(
            move || listed!(a, b, c: program.run(&q, &k, &v, &weight)),
        ))
    },
    python: InPython::of("attention gradient"),
    candle: None,
    ndarray: None,
    tolerance: 1e-4,
};
