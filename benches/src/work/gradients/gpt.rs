//! A whole step of training: the example `gpt`, its loss, the derivatives, and AdamW, with weights and the optimiser's state in
//! globals.

use super::{InPython, Work, steps};
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
            let [weights, key] = random::split(random::key(seed));
            self.learner = zeros_like(self.learner);
            self.learner.model = begin(self.learner.model, weights);
            self.learner.key = key;
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

pub(super) const WORK: Work = Work {
    name: "GPT step, 8×64 tokens",
    inputs: Vec::new,
    ours: |device, _| {
        let mut program = trained::Trained::load(device)?;
        program.begin(SEED)?;
        let text = device.upload(&Array1::from(SONNETS.to_vec()))?;
        let step = move || program.train(&text, RATE, STEPS)?.to_scalar();
        Ok(steps(step))
    },
    python: InPython::of("gpt step"),
    candle: None,
    ndarray: None,
    tolerance: 1e-3,
};
