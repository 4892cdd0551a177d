//! A classifier that is trained on the device: of handwritten digits, or of the rows of your own table.
//!
//! The program is below; the other files bring the data to it and show what it does.

mod dataset;
#[path = "../common/interrupt.rs"]
mod interrupt;
mod options;
#[path = "../common/plot.rs"]
mod plot;
#[cfg(test)]
mod reference;
mod report;
mod table;
mod training;

use clap::Parser;
use dataset::Dataset;
use iree_dsl::prelude::*;
use options::Options;
use rand::{SeedableRng, rngs::StdRng};
use std::process::ExitCode;
use table::Table;
use training::Trainer;

#[program]
pub mod digits {
    #[kernel]
    use nn::initializers::glorot_uniform;
    #[kernel]
    use nn::layers::{Linear, linear};
    #[kernel]
    use nn::losses::cross_entropy;
    #[kernel]
    use nn::optimizers::{Adam, adamw};

    const BATCH: usize = 32;
    const FEATURES: usize = 64;
    const HIDDEN: usize = 64;
    const CLASSES: usize = 10;

    const LEARNING_RATE: f32 = 3e-3;
    const WEIGHT_DECAY: f64 = 0.01;

    /// A multilayer perceptron; its gradient has the same form.
    pub struct Network {
        pub hidden: Linear<FEATURES, HIDDEN>,
        pub output: Linear<HIDDEN, CLASSES>,
    }

    /// The network and the state of its optimiser.
    pub struct Classifier {
        #[global]
        network: Network,
        #[global]
        state: Adam<Network>,
    }

    impl Classifier {
        /// Starts anew, with weights by chance.
        pub fn initialize(&mut self, seed: Tensor<u32>) {
            let [hidden, output] = random::split(random::key(seed));
            self.network = zeros_like(self.network);
            self.network.hidden.weight = glorot_uniform(hidden);
            self.network.output.weight = glorot_uniform(output);
            self.state = zeros_like(self.state);
        }

        /// Learns from one batch, and returns the loss before that.
        pub fn train_step(
            &mut self,
            x: Tensor<f32, BATCH, FEATURES>,
            labels: Tensor<i32, BATCH>,
        ) -> Tensor<f32> {
            let loss = |network| cross_entropy(scores(network, x), labels);
            let (loss, gradient) = value_and_grad(loss)(self.network);
            let (state, network) = (self.state, self.network);
            let (network, state) = adamw(state, network, gradient, LEARNING_RATE, WEIGHT_DECAY);
            self.network = network;
            self.state = state;
            loss
        }

        /// The likeliest class of each row.
        pub fn predict(&self, x: Tensor<f32, BATCH, FEATURES>) -> Tensor<i32, BATCH> {
            scores(self.network, x).argmax_axis(1)
        }

        pub fn network(&self) -> Network {
            self.network
        }
    }

    #[kernel]
    fn scores<const ROWS: usize>(
        network: Network,
        x: Tensor<f32, ROWS, FEATURES>,
    ) -> Tensor<f32, ROWS, CLASSES> {
        linear(network.output, linear(network.hidden, x).tanh())
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
    let table = match &options.data {
        Some(path) => Table::open(path)?,
        None => Table::digits()?,
    };
    let mut rng = StdRng::seed_from_u64(options.seed);
    let dataset = Dataset::split(&table, &mut rng);
    report::data(&table, &dataset);

    let mut trainer = Trainer::new(&device, rng)?;
    let losses = learn(&mut trainer, &dataset, options.epochs)?;
    report::result(&losses, trainer.accuracy(&dataset.held_out)?);
    report::files(options.plot.as_deref(), &losses)
}

/// The mean loss of each epoch; fewer than asked for if the user pressed Ctrl-C.
fn learn(trainer: &mut Trainer, dataset: &Dataset, epochs: u32) -> anyhow::Result<Vec<f32>> {
    let interrupt = interrupt::catch()?;
    let progress = report::progress(epochs);
    let mut losses = Vec::new();
    for _ in 0..epochs {
        losses.push(trainer.epoch(&dataset.training)?);
        report::epoch(&progress, &losses, trainer.accuracy(&dataset.held_out)?);
        if interrupt.is_set() {
            break;
        }
    }
    progress.abandon();
    Ok(losses)
}
