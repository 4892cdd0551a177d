//! A small GPT that learns from a text, a byte at a time, and then goes on with one. All of it happens on the device: a step of
//! training is one procedure, and a token is another, whose cache is in globals.
//!
//! ```sh
//! cargo run --release --example gpt -- train --save sonnets.irpa
//! cargo run --release --example gpt -- write sonnets.irpa --prompt "Shall I compare thee"
//! ```

#[path = "../common/interrupt.rs"]
mod interrupt;
mod model;
mod options;
#[path = "../common/plot.rs"]
mod plot;
#[cfg(test)]
mod tests;
mod training;
mod writing;

use clap::Parser;
use iree_dsl::prelude::*;
use options::{Command, Options};
use std::process::ExitCode;

#[program]
pub mod writer {
    #[kernel]
    use crate::model::gpt::{Gpt, Learner, begin, learn, next_logits};
    #[kernel]
    use nn::decoding::KvCache;

    /// Tokens are bytes.
    const VOCABULARY: usize = 256;
    const WIDTH: usize = 128;
    const HEADS: usize = 4;
    const LAYERS: usize = 2;
    /// Windows of the text in a batch.
    pub const BATCH: usize = 8;
    /// Tokens in a window, and how many the writer remembers.
    pub const CONTEXT: usize = 64;

    pub struct Writer {
        #[global]
        learner: Learner<VOCABULARY, WIDTH, { 4 * WIDTH }, HEADS, LAYERS>,
        #[global]
        caches: [KvCache<1, HEADS, CONTEXT, { WIDTH / HEADS }>; LAYERS],
        #[global]
        position: Tensor<i32>,
        /// Chooses among likely tokens.
        #[global]
        key: Tensor<u32, 2>,
    }

    impl Writer {
        /// Starts anew.
        pub fn begin(&mut self, seed: Tensor<u32>) {
            self.learner = begin(self.learner, seed);
        }

        /// Learns from a batch of windows of a text, and returns the loss before that.
        pub fn train<const N: usize>(
            &mut self,
            text: Tensor<u8, N>,
            rate: Tensor<f32>,
            steps: Tensor<i32>,
        ) -> Tensor<f32> {
            let (loss, learner) =
                learn::<{ BATCH = BATCH }, { CONTEXT = CONTEXT }>(self.learner, text, rate, steps);
            self.learner = learner;
            loss
        }

        /// The number of steps so far.
        pub fn steps(&self) -> Tensor<i32> {
            self.learner.state.count
        }

        /// Forgets what was read and written.
        pub fn restart(&mut self, seed: Tensor<u32>) {
            self.position = 0;
            self.key = random::key(seed);
        }

        /// Reads a token, and says one that may come next: the likeliest at temperature 0.
        pub fn next(&mut self, token: Tensor<i32>, temperature: Tensor<f32>) -> Tensor<i32> {
            let tokens = token.reshape([1, 1]);
            let (logits, caches) =
                next_logits(self.learner.model, self.caches, self.position, tokens);
            self.caches = caches;
            self.position += 1;
            let [next, key] = random::split(self.key);
            self.key = next;
            let logits = logits.flatten();
            let drawn = random::categorical(key, logits / temperature.maximum(1e-6));
            select(temperature > 0.0, drawn, logits.argmax_axis(0))
        }
    }
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> anyhow::Result<()> {
    let device = Device::open(&options.device)?;
    let program = writer::Writer::load(&device)?;
    match &options.command {
        Command::Train(options) => training::train(&device, program, options),
        Command::Write(options) => writing::write(program, options),
    }
}
