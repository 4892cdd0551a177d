//! A transformer block of the crate `nn`: a token sees those before it, and none after it.

mod reference;

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};
use nn::{
    layers::{LayerNorm, Linear},
    mlp::Mlp,
    transformer::{Attention, Block},
};
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use std::env;

const TOKENS: usize = 6;
const WIDTH: usize = 8;
const INNER: usize = 16;

#[program]
pub mod causal {
    #[kernel]
    use nn::transformer::{Block, block};

    const HEADS: usize = 2;

    pub struct Causal {
        #[global]
        layers: Block<8, 16, f32>,
    }

    impl Causal {
        pub fn set_layers(&mut self, layers: Block<8, 16, f32>) {
            self.layers = layers;
        }

        pub fn run(&self, x: Tensor<f32, 6, 8>) -> Tensor<f32, 6, 8> {
            block(self.layers, HEADS, x)
        }
    }
}

fn main() -> iree_dsl::Result<()> {
    let device = env::args().nth(1);
    let device = Device::open(device.as_deref().unwrap_or("local-sync"))?;
    let mut program = causal::Causal::load(&device)?;
    let mut rng = StdRng::seed_from_u64(1);
    program.set_layers(random_block(&mut rng).upload(&device)?)?;
    let x = random((TOKENS, WIDTH), &mut rng);
    let y = program.run(&x)?.to_array()?;
    for changed in 0..TOKENS {
        let mut other = x.clone();
        other.row_mut(changed).mapv_inplace(|number| -number);
        let difference = (program.run(&other)?.to_array()? - &y).mapv(f32::abs);
        let rows = difference.outer_iter();
        let seen: String = rows.map(|row| mark(row.sum())).collect();
        println!("token {changed} is seen by {seen}");
    }
    Ok(())
}

fn mark(difference: f32) -> char {
    if difference > 0.0 { '#' } else { '.' }
}

fn random(shape: (usize, usize), rng: &mut impl Rng) -> Array2<f32> {
    Array2::from_shape_fn(shape, |_| rng.random_range(-1.0..1.0))
}

/// A linear layer on the host.
fn random_linear(inputs: usize, outputs: usize, rng: &mut impl Rng) -> reference::Linear {
    let bias = random((1, outputs), rng).into_iter().collect();
    (random((outputs, inputs), rng), bias)
}

fn random_block(rng: &mut impl Rng) -> reference::Block {
    let norm = |rng: &mut _| {
        let bias = random((1, WIDTH), rng).into_iter().collect();
        (random((1, WIDTH), rng), bias)
    };
    reference::Block {
        norms: [norm(rng), norm(rng)],
        attention: [(); 4].map(|()| random_linear(WIDTH, WIDTH, rng)),
        mlp: [
            random_linear(WIDTH, INNER, rng),
            random_linear(INNER, WIDTH, rng),
        ],
    }
}

impl reference::Block {
    fn upload(&self, device: &Device) -> iree_dsl::Result<Block<WIDTH, INNER, f32>> {
        let [query, key, value, output] = &self.attention;
        Ok(Block {
            first_norm: norm(device, &self.norms[0])?,
            attention: Attention {
                query: linear(device, query)?,
                key: linear(device, key)?,
                value: linear(device, value)?,
                output: linear(device, output)?,
            },
            second_norm: norm(device, &self.norms[1])?,
            mlp: Mlp {
                hidden: linear(device, &self.mlp[0])?,
                output: linear(device, &self.mlp[1])?,
            },
        })
    }
}

fn linear<const I: usize, const O: usize>(
    device: &Device,
    (weights, bias): &(Array2<f32>, Array1<f32>),
) -> iree_dsl::Result<Linear<I, O, f32>> {
    Ok(Linear {
        weight: device.upload(weights)?,
        bias: device.upload(bias)?,
    })
}

fn norm(
    device: &Device,
    (scale, bias): &(Array2<f32>, Array1<f32>),
) -> iree_dsl::Result<LayerNorm<WIDTH, f32>> {
    Ok(LayerNorm {
        weight: device.upload(&scale.row(0).to_owned())?,
        bias: device.upload(bias)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_computes_what_plain_rust_does() {
        let device = Device::open("local-sync").unwrap();
        let mut program = causal::Causal::load(&device).unwrap();
        let mut rng = StdRng::seed_from_u64(2);
        let block = random_block(&mut rng);
        program.set_layers(block.upload(&device).unwrap()).unwrap();
        let x = random((TOKENS, WIDTH), &mut rng);
        let found = program.run(&x).unwrap().to_array().unwrap();
        let errors = (found - block.apply(2, &x)).mapv(f32::abs);
        assert!(errors.iter().all(|error| *error < 1e-3), "{errors}");
    }

    #[test]
    fn a_token_does_not_see_those_after_it() {
        let device = Device::open("local-sync").unwrap();
        let mut program = causal::Causal::load(&device).unwrap();
        let mut rng = StdRng::seed_from_u64(3);
        let block = random_block(&mut rng).upload(&device).unwrap();
        program.set_layers(&block).unwrap();
        let x = random((TOKENS, WIDTH), &mut rng);
        let mut other = x.clone();
        other.row_mut(TOKENS - 1).fill(0.5);
        let [y, z] = [x, other].map(|x| program.run(&x).unwrap().to_array().unwrap());
        for token in 0..TOKENS {
            assert_eq!(y.row(token) == z.row(token), token < TOKENS - 1);
        }
    }
}
