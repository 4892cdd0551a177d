//! A classifier that is trained on the device: of handwritten digits, or of the rows of your own table.
//!
//! The program is below; the other files bring the data to it and show what it does.

mod dataset;
mod options;
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
    const BATCH: usize = 32;
    const FEATURES: usize = 64;
    const HIDDEN: usize = 64;
    const CLASSES: usize = 10;

    const LEARNING_RATE: f32 = 0.1;
    const MOMENTUM: f32 = 0.9;

    /// A linear map.
    pub struct Layer<const INPUTS: usize, const OUTPUTS: usize> {
        pub weights: Tensor<f32, INPUTS, OUTPUTS>,
        pub biases: Tensor<f32, OUTPUTS>,
    }

    /// A multilayer perceptron; its gradient and velocity have the same form.
    pub struct Network {
        pub hidden: Layer<FEATURES, HIDDEN>,
        pub output: Layer<HIDDEN, CLASSES>,
    }

    /// The network and the state of its optimiser, stochastic gradient descent with momentum.
    pub struct Classifier {
        #[global]
        network: Network,
        #[global]
        velocity: Network,
    }

    impl Classifier {
        /// Starts anew with these weights, at rest.
        pub fn initialize(
            &mut self,
            hidden: Tensor<f32, FEATURES, HIDDEN>,
            output: Tensor<f32, HIDDEN, CLASSES>,
        ) {
            self.network = with_weights(hidden, output);
            self.velocity = with_weights(zeros(), zeros());
        }

        /// Learns from one batch, and returns the loss before that.
        pub fn train_step(
            &mut self,
            x: Tensor<f32, BATCH, FEATURES>,
            y: Tensor<i32, BATCH>,
        ) -> Tensor<f32> {
            let (loss, gradient) = loss_and_gradient(self.network, x, y.one_hot::<f32, CLASSES>());
            self.velocity = Network {
                hidden: accelerate(self.velocity.hidden, gradient.hidden),
                output: accelerate(self.velocity.output, gradient.output),
            };
            self.network = Network {
                hidden: advance(self.network.hidden, self.velocity.hidden),
                output: advance(self.network.output, self.velocity.output),
            };
            loss
        }

        /// The likeliest class of each row.
        pub fn predict(&self, x: Tensor<f32, BATCH, FEATURES>) -> Tensor<i32, BATCH> {
            let activation = apply(self.network.hidden, x).tanh();
            apply(self.network.output, activation).argmax_axis(1)
        }
    }

    #[kernel]
    fn with_weights(
        hidden: Tensor<f32, FEATURES, HIDDEN>,
        output: Tensor<f32, HIDDEN, CLASSES>,
    ) -> Network {
        Network {
            hidden: Layer {
                weights: hidden,
                biases: zeros(),
            },
            output: Layer {
                weights: output,
                biases: zeros(),
            },
        }
    }

    #[kernel]
    fn apply<const ROWS: usize, const INPUTS: usize, const OUTPUTS: usize>(
        layer: Layer<INPUTS, OUTPUTS>,
        x: Tensor<f32, ROWS, INPUTS>,
    ) -> Tensor<f32, ROWS, OUTPUTS> {
        x.dot(layer.weights) + layer.biases
    }

    /// The mean cross entropy of a batch, and its derivative by each number of the network.
    #[kernel]
    fn loss_and_gradient(
        network: Network,
        x: Tensor<f32, BATCH, FEATURES>,
        y: Tensor<f32, BATCH, CLASSES>,
    ) -> (Tensor<f32>, Network) {
        let activation = apply(network.hidden, x).tanh();
        let log_likelihood = apply(network.output, activation).log_softmax(1);
        let loss = -(y * log_likelihood).sum() / BATCH as f32;

        let by_output = (log_likelihood.exp() - y) / BATCH as f32;
        let by_activation = by_output.dot(network.output.weights.t());
        let by_hidden = by_activation * (1.0 - activation * activation);
        let gradient = Network {
            hidden: layer_gradient(x, by_hidden),
            output: layer_gradient(activation, by_output),
        };
        (loss, gradient)
    }

    /// The derivative by a layer's weights and biases, from that by its output.
    #[kernel]
    fn layer_gradient<const ROWS: usize, const INPUTS: usize, const OUTPUTS: usize>(
        x: Tensor<f32, ROWS, INPUTS>,
        by_output: Tensor<f32, ROWS, OUTPUTS>,
    ) -> Layer<INPUTS, OUTPUTS> {
        Layer {
            weights: x.t().dot(by_output),
            biases: by_output.sum_axis(0),
        }
    }

    #[kernel]
    fn accelerate<const INPUTS: usize, const OUTPUTS: usize>(
        velocity: Layer<INPUTS, OUTPUTS>,
        gradient: Layer<INPUTS, OUTPUTS>,
    ) -> Layer<INPUTS, OUTPUTS> {
        Layer {
            weights: MOMENTUM * velocity.weights - LEARNING_RATE * gradient.weights,
            biases: MOMENTUM * velocity.biases - LEARNING_RATE * gradient.biases,
        }
    }

    #[kernel]
    fn advance<const INPUTS: usize, const OUTPUTS: usize>(
        layer: Layer<INPUTS, OUTPUTS>,
        velocity: Layer<INPUTS, OUTPUTS>,
    ) -> Layer<INPUTS, OUTPUTS> {
        Layer {
            weights: layer.weights + velocity.weights,
            biases: layer.biases + velocity.biases,
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
    let interrupt = report::catch_interrupt()?;
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
