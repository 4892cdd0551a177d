//! A whole step of training: the example `gpt`, its loss, the derivatives, and AdamW, with weights and the optimiser's state in
//! globals.

use super::{InPython, Work};
use crate::side::Calls;
use iree_dsl::prelude::*;
use ndarray::Array1;

/// The program of the example.
#[path = "../../../../examples/gpt/model.rs"]
#[allow(dead_code, reason = "the example uses all of it")]
mod example;

#[program]
mod trained {
    #[kernel]
    use super::example::gpt::{Learner, begin, learn};

    pub struct Trained {
        #[global]
        learner: Learner<256, 128, 512, 4, 2>,
    }

    impl Trained {
        pub fn begin(&mut self, seed: Tensor<u32>) {
            self.learner = begin(self.learner, seed);
        }

        pub fn train<const N: usize>(
            &mut self,
            text: Tensor<u8, N>,
            rate: Tensor<f32>,
            steps: Tensor<i32>,
        ) -> Tensor<f32> {
            let (loss, learner) =
                learn::<{ BATCH = 8 }, { CONTEXT = 64 }>(self.learner, text, rate, steps);
            self.learner = learner;
            loss
        }
    }
}

/// The text that is learnt.
const SONNETS: &[u8] = include_bytes!("../../../../examples/data/sonnets.txt");

/// As in `reference.py` of the example, whose random numbers are the same.
const SEED: u32 = 3;
const RATE: f32 = 0.01;
const STEPS: i32 = 1_000_000;

/// The losses of as many steps are compared.
const COMPARED: usize = 10;

pub(super) const WORK: Work = Work {
    name: "GPT step, 8×64 tokens",
    inputs: Vec::new,
    ours: |device, _| {
        let mut program = trained::Trained::load(device)?;
        program.begin(SEED)?;
        let text = device.upload(&Array1::from(SONNETS.to_vec()))?;
        let mut step = move || program.train(&text, RATE, STEPS)?.to_scalar();
        let before = (1..COMPARED).map(|_| step());
        let before: Vec<f32> = before.collect::<Result<_, _>>()?;
        let read = move |loss: f32| {
            let losses = before.iter().copied().chain([loss]);
            Ok(Array1::from_iter(losses).into_dyn())
        };
        Ok(Box::new(Calls::new(move || Ok(step()?), read)))
    },
    python: InPython::of("gpt step"),
    candle: None,
    ndarray: None,
    tolerance: 1e-3,
};
