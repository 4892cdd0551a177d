//! A small form of the model next to JAX, and the program that is shipped.

use crate::{
    training::{self, SONNETS},
    writer::{CONTEXT, Writer},
    writing,
};
use iree_dsl::prelude::*;
use ndarray::{Array1, s};

/// What `reference.py` prints.
const LOSSES: [f32; 20] = [
    5.52307, 5.52917, 5.48957, 5.4167, 5.31567, 5.184, 5.04946, 4.92046, 4.75435, 4.5856, 4.40458,
    4.19207, 3.98649, 3.86756, 3.67795, 3.73144, 3.58645, 3.7031, 3.479, 3.63881,
];

#[program]
mod small {
    #[kernel]
    use crate::model::gpt::{Gpt, Learner, begin, learn, logits, next_logits};
    #[kernel]
    use nn::decoding::KvCache;

    pub struct Small {
        #[global]
        learner: Learner<256, 16, 64, 2, 2>,
        #[global]
        caches: [KvCache<1, 2, 16, 8>; 2],
        #[global]
        position: Tensor<i32>,
    }

    impl Small {
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
                learn::<{ BATCH = 4 }, { CONTEXT = 16 }>(self.learner, text, rate, steps);
            self.learner = learner;
            loss
        }

        /// All tokens at once.
        pub fn read<const L: usize>(&self, tokens: Tensor<i32, L>) -> Tensor<f32, L, 256> {
            logits(self.learner.model, tokens)
        }

        pub fn restart(&mut self) {
            self.position = 0;
        }

        /// Tokens after those before.
        pub fn next<const L: usize>(&mut self, tokens: Tensor<i32, L>) -> Tensor<f32, L, 256> {
            let (at, tokens) = (self.position, tokens.insert_axis(0));
            let (logits, caches) = next_logits(self.learner.model, self.caches, at, tokens);
            self.caches = caches;
            self.position += L as i32;
            logits.remove_axis(0)
        }
    }
}

fn text() -> Array1<u8> {
    SONNETS.iter().copied().collect()
}

#[test]
fn losses_are_those_of_jax() {
    for name in ["local-sync", "local-task"] {
        let device = Device::open(name).unwrap();
        let mut program = small::Small::load(&device).unwrap();
        for _ in 0..2 {
            program.begin(3).unwrap();
            for (step, right) in LOSSES.into_iter().enumerate() {
                let loss = program.train(&text(), 0.01, 20).unwrap();
                let loss = loss.to_scalar().unwrap();
                let error = (loss - right).abs();
                assert!(error < 2e-5 * right, "step {step}: {loss} for {right}");
            }
        }
    }
}

#[test]
fn what_is_in_the_cache_counts() {
    let device = Device::open("local-sync").unwrap();
    let mut program = small::Small::load(&device).unwrap();
    program.begin(3).unwrap();
    for _ in 0..5 {
        program.train(&text(), 0.05, 20).unwrap();
    }
    let tokens = text().slice(s![..16]).mapv(i32::from);
    let right = program.read(&tokens).unwrap().to_array().unwrap();
    for parts in [&[1; 16][..], &[9, 1, 5, 1], &[16]] {
        program.restart().unwrap();
        let mut at = 0;
        for length in parts {
            let part = s![at..at + length];
            let found = program.next(tokens.slice(part)).unwrap();
            let right = right.slice(s![at..at + length, ..]);
            let error = (found.to_array().unwrap() - right).mapv(f32::abs);
            assert!(error.iter().all(|error| *error < 1e-5), "{parts:?} at {at}");
            at += length;
        }
    }
}

fn written(program: &mut Writer, temperature: f32, length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    writing::continued(program, b"Shall I ", temperature, 1, length, |byte| {
        bytes.push(byte);
        Ok(())
    })
    .unwrap();
    bytes
}

#[test]
fn training_stops_and_goes_on() {
    let device = Device::open("local-sync").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gpt.irpa");
    let mut program = Writer::load(&device).unwrap();
    program.begin(0).unwrap();
    let step = |program: &mut Writer| {
        let loss = program.train(&text(), 3e-3, 20).unwrap();
        loss.to_scalar().unwrap()
    };
    let losses: Vec<f32> = (0..4).map(|_| step(&mut program)).collect();
    assert!((losses[0] - 256_f32.ln()).abs() < 0.1, "{losses:?}");
    program.save_parameters(&path).unwrap();
    let right = step(&mut program);

    let mut other = Writer::load(&device).unwrap();
    training::resume(&mut other, &path).unwrap();
    assert_eq!(other.steps().unwrap().to_scalar().unwrap(), 4);
    assert_eq!(step(&mut other), right);
    assert_eq!(written(&mut program, 0.0, 40), written(&mut other, 0.0, 40));
}

#[test]
fn the_seed_chooses_what_is_written() {
    let device = Device::open("local-sync").unwrap();
    let mut program = Writer::load(&device).unwrap();
    program.begin(0).unwrap();
    // More than the writer remembers.
    let bytes = written(&mut program, 1.0, 2 * CONTEXT);
    assert_eq!(bytes.len(), 2 * CONTEXT);
    assert_eq!(bytes, written(&mut program, 1.0, 2 * CONTEXT));
    assert_ne!(bytes, written(&mut program, 0.0, 2 * CONTEXT));
}
