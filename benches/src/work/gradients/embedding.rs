//! Rows of a table that are looked up: the derivative is added to the table.

use super::{InPython, Work, inputs, listed, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{Ix2, Ix3};

#[program]
mod embedding {
    pub struct Embedding;

    type Table = Tensor<f32, 10000, 128>;

    impl Embedding {
        pub fn run(
            &self,
            table: Table,
            tokens: Tensor<f32, 32, 128>,
            weight: Tensor<f32, 32, 128, 128>,
        ) -> (Table,) {
            let tokens = ((tokens + 1.0) * 4999.0) as i32;
            (grad(|table: Table| {
                (table.take(tokens, 0).tanh() * weight).sum()
            })(table),)
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "embedding, 10000×128, 32×128 tokens",
    inputs: || inputs(&[&[10000, 128], &[32, 128], &[32, 128, 128]]),
    ours: |device, inputs| {
        let program = embedding::Embedding::load(device)?;
        let table = upload::<Ix2>(device, &inputs[0])?;
        let tokens = upload::<Ix2>(device, &inputs[1])?;
        let weight = upload::<Ix3>(device, &inputs[2])?;
        Ok(ours(
            move || listed!(a: program.run(&table, &tokens, &weight)),
        ))
    },
    python: InPython::of("embedding gradient"),
    candle: None,
    ndarray: None,
    tolerance: 1e-4,
};
