//! A classifier of two half moons, which learns by trial: a random change of the network is kept if the
//! loss is lower with it. The network is that of the crate `nn`.
//!
//! `-- --save moons.irpa` keeps what was learned, and `-- --resume moons.irpa` goes on from there.

mod reference;

use clap::Parser;
use iree_dsl::{Parameters, prelude::*};
use ndarray::{Array1, Array2, Axis};
use nn::{layers::Linear, mlp::Mlp};
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use std::{f32::consts::PI, path::PathBuf};

const POINTS: usize = 200;
const HIDDEN: usize = 16;

#[program]
pub mod moons {
    #[kernel]
    use nn::mlp::{Mlp, mlp};

    const POINTS: usize = 200;

    type Network = Mlp<2, 16, 2, f32>;

    pub struct Moons {
        #[global]
        network: Network,
        #[global(init = 1e9)]
        loss: Tensor<f32>,
    }

    impl Moons {
        /// Keeps a change of the network if it lowers the loss, and returns the loss.
        pub fn learn(
            &mut self,
            change: Network,
            x: Tensor<f32, POINTS, 2>,
            y: Tensor<f32, POINTS, 2>,
        ) -> Tensor<f32> {
            let changed = sum(self.network, change);
            let loss = -(mlp(changed, x).log_softmax(1) * y).sum() / POINTS as f32;
            if loss < self.loss {
                self.network = changed;
                self.loss = loss;
            }
            self.loss
        }

        /// How likely each point is on each moon.
        pub fn predict(&self, x: Tensor<f32, POINTS, 2>) -> Tensor<f32, POINTS, 2> {
            mlp(self.network, x).softmax(1)
        }
    }

    #[kernel]
    fn sum(a: Network, b: Network) -> Network {
        let mut sum = a;
        sum.hidden.weight += b.hidden.weight;
        sum.hidden.bias += b.hidden.bias;
        sum.output.weight += b.output.weight;
        sum.output.bias += b.output.bias;
        sum
    }
}

/// What the command line says.
#[derive(Parser)]
struct Options {
    /// Where to keep what was learned: a file ending in `.irpa` or `.safetensors`.
    #[arg(long)]
    save: Option<PathBuf>,
    /// What an earlier run kept.
    #[arg(long)]
    resume: Option<PathBuf>,
    /// Where to compute.
    #[arg(long, default_value = "local-sync")]
    device: String,
    /// How many changes to try.
    #[arg(long, default_value_t = 4000)]
    rounds: usize,
}

fn main() -> iree_dsl::Result<()> {
    let options = Options::parse();
    let device = Device::open(&options.device)?;
    let mut program = moons::Moons::load(&device)?;
    if let Some(path) = &options.resume {
        program.load_parameters(Parameters::open(path)?)?;
    }
    learn(&mut program, &device, options.rounds)?;
    match &options.save {
        Some(path) => program.save_parameters(path),
        None => Ok(()),
    }
}

/// Tries changes of the network.
fn learn(program: &mut moons::Moons, device: &Device, rounds: usize) -> iree_dsl::Result<()> {
    let mut rng = StdRng::seed_from_u64(1);
    let (x, y) = points(&mut rng);
    for round in 1..=rounds {
        let change = change(&mut rng, 0.1).upload(device)?;
        let loss = program.learn(&change, &x, &y)?;
        if round % rounds.div_ceil(8) == 0 {
            let right = right(&program.predict(&x)?.to_array()?, &y);
            let loss = loss.to_scalar()?;
            println!("round {round:4}: loss {loss:.3}, {right} of {POINTS} right");
        }
    }
    Ok(())
}

/// Points on two interleaving half moons, and which moon each is on.
fn points(rng: &mut impl Rng) -> (Array2<f32>, Array2<f32>) {
    let (mut x, mut y) = (Array2::zeros((POINTS, 2)), Array2::zeros((POINTS, 2)));
    for point in 0..POINTS {
        let moon = point % 2;
        let angle = PI * rng.random::<f32>();
        let (across, up) = match moon {
            0 => (angle.cos(), angle.sin()),
            _ => (1.0 - angle.cos(), 0.5 - angle.sin()),
        };
        x[(point, 0)] = across + 0.1 * noise(rng);
        x[(point, 1)] = up + 0.1 * noise(rng);
        y[(point, moon)] = 1.0;
    }
    (x, y)
}

/// A number from -1 to 1 with mean 0, mostly small.
fn noise(rng: &mut impl Rng) -> f32 {
    let uniform: [f32; 3] = rng.random();
    uniform.iter().sum::<f32>() / 1.5 - 1.0
}

/// A random change of the network, on the host.
fn change(rng: &mut impl Rng, size: f32) -> reference::Network {
    let mut weights =
        |rows, columns| Array2::from_shape_fn((rows, columns), |_| 3.0 * size * noise(rng));
    reference::Network {
        hidden: (weights(HIDDEN, 2), weights(1, HIDDEN).remove_axis(Axis(0))),
        output: (weights(2, HIDDEN), weights(1, 2).remove_axis(Axis(0))),
    }
}

impl reference::Network {
    fn upload(&self, device: &Device) -> iree_dsl::Result<Mlp<2, HIDDEN, 2, f32>> {
        Ok(Mlp {
            hidden: layer(device, &self.hidden)?,
            output: layer(device, &self.output)?,
        })
    }
}

fn layer<const I: usize, const O: usize>(
    device: &Device,
    (weights, bias): &(Array2<f32>, Array1<f32>),
) -> iree_dsl::Result<Linear<I, O, f32>> {
    Ok(Linear {
        weight: device.upload(weights)?,
        bias: device.upload(bias)?,
    })
}

/// How many points are most likely on the moon that they are on.
fn right(predictions: &Array2<f32>, y: &Array2<f32>) -> usize {
    let rows = predictions.outer_iter().zip(y.outer_iter());
    rows.filter(|(p, y)| (p[0] > p[1]) == (y[0] > y[1])).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_computes_what_plain_rust_does() {
        let device = Device::open("local-sync").unwrap();
        let mut program = moons::Moons::load(&device).unwrap();
        let mut rng = StdRng::seed_from_u64(2);
        let (x, y) = points(&mut rng);
        let network = change(&mut rng, 1.0);
        let loss = program
            .learn(network.upload(&device).unwrap(), &x, &y)
            .unwrap();
        let expected = network.predict(&x);
        let expected_loss = -(expected.ln() * &y).sum() / POINTS as f32;
        assert!((loss.to_scalar().unwrap() - expected_loss).abs() < 1e-4);
        let found = program.predict(&x).unwrap().to_array().unwrap();
        assert!((found - expected).iter().all(|error| error.abs() < 1e-5));
    }

    #[test]
    fn learning_goes_on_where_it_stopped() {
        let device = Device::open("local-sync").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("moons.safetensors");
        let mut first = moons::Moons::load(&device).unwrap();
        learn(&mut first, &device, 50).unwrap();
        first.save_parameters(&path).unwrap();
        let mut second = moons::Moons::load(&device).unwrap();
        second
            .load_parameters(Parameters::open(&path).unwrap())
            .unwrap();
        let (x, _) = points(&mut StdRng::seed_from_u64(4));
        let [first, second] = [&first, &second].map(|program| program.predict(&x).unwrap());
        assert_eq!(first.to_array().unwrap(), second.to_array().unwrap());
    }

    #[test]
    fn a_worse_network_is_not_kept() {
        let device = Device::open("local-sync").unwrap();
        let mut program = moons::Moons::load(&device).unwrap();
        let mut rng = StdRng::seed_from_u64(3);
        let (x, y) = points(&mut rng);
        let mut last = f32::INFINITY;
        for _ in 0..50 {
            let change = change(&mut rng, 0.5).upload(&device).unwrap();
            let loss = program.learn(&change, &x, &y).unwrap().to_scalar().unwrap();
            assert!(loss <= last);
            last = loss;
        }
        assert!(last < 1.0);
    }
}
