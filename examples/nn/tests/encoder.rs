//! The encoder of PyTorch, whose weights come from a state dict, next to plain Rust.

mod common;

use common::{DEVICES, Dense, Multihead, Number, Numbers, assert_near, gelu, wide};
use iree_dsl::{Parameters, prelude::*};
use ndarray::{Array1, Array2, Array3, Axis, s};
use std::collections::BTreeMap;

const LAYERS: usize = 2;

macro_rules! programs {
    ($name:ident, $t:ident) => {
        #[program]
        pub mod $name {
            #[kernel]
            use nn::transformer::{TransformerEncoder, transformer_encoder};

            pub struct Program {
                #[global(immutable, parameter = "model")]
                #[param("")]
                encoder: TransformerEncoder<
                    T = $t,
                    { NUM_LAYERS = 2 },
                    { D_MODEL = 8 },
                    { NHEAD = 2 },
                    { DIM_FEEDFORWARD = 12 },
                >,
            }

            impl Program {
                /// `norm_first=False, activation="relu"`, as PyTorch assumes.
                pub fn usual<const B: usize, const S: usize>(
                    &self,
                    src: Tensor<$t, B, S, 8>,
                    padding: Tensor<bool, B, S>,
                ) -> Tensor<$t, B, S, 8> {
                    transformer_encoder(self.encoder, src, false, padding, "relu", false)
                }

                pub fn first(&self, src: Tensor<$t, 2, 6, 8>) -> Tensor<$t, 2, 6, 8> {
                    transformer_encoder(self.encoder, src, false, false, "gelu", true)
                }
            }
        }
    };
}

programs!(single, f32);
programs!(double, f64);
programs!(short, bf16);

/// A state dict.
type Weights = BTreeMap<String, Array2<f64>>;

/// The keys and shapes that PyTorch's module has; vectors are matrices with one row.
fn weights<T: Number>(numbers: &mut Numbers) -> (Parameters, Weights) {
    let (mut parameters, mut weights) = (Parameters::default(), Weights::new());
    for layer in 0..LAYERS {
        for (name, rows, columns) in [
            ("self_attn.in_proj_weight", 24, 8),
            ("self_attn.in_proj_bias", 0, 24),
            ("self_attn.out_proj.weight", 8, 8),
            ("self_attn.out_proj.bias", 0, 8),
            ("linear1.weight", 12, 8),
            ("linear1.bias", 0, 12),
            ("linear2.weight", 8, 12),
            ("linear2.bias", 0, 8),
            ("norm1.weight", 0, 8),
            ("norm1.bias", 0, 8),
            ("norm2.weight", 0, 8),
            ("norm2.bias", 0, 8),
        ] {
            let key = format!("layers.{layer}.{name}");
            let matrix: Array2<T> = numbers.array((rows.max(1), columns));
            match rows {
                0 => parameters.insert(&key, &matrix.row(0)),
                _ => parameters.insert(&key, &matrix),
            }
            weights.insert(key, wide(&matrix));
        }
    }
    (parameters, weights)
}

/// The encoder for one text.
fn encode(
    weights: &Weights,
    src: &Array2<f64>,
    (activation, norm_first): (fn(f64) -> f64, bool),
    sees: impl Fn(usize, usize) -> bool + Copy,
) -> Array2<f64> {
    let mut x = src.clone();
    for layer in 0..LAYERS {
        let matrix = |name: &str| weights[&format!("layers.{layer}.{name}")].clone();
        let vector = |name: &str| matrix(name).row(0).to_owned();
        let dense = |name: &str| -> Dense {
            (
                matrix(&format!("{name}.weight")),
                vector(&format!("{name}.bias")),
            )
        };
        let attention = Multihead {
            heads: 2,
            input: (
                matrix("self_attn.in_proj_weight"),
                vector("self_attn.in_proj_bias"),
            ),
            output: dense("self_attn.out_proj"),
        };
        let attend = |x: &Array2<f64>| attention.apply([x; 3], sees);
        let (first, second) = (dense("linear1"), dense("linear2"));
        let feed = |x: &Array2<f64>| {
            rows(x, |x| {
                common::linear(&second, &common::linear(&first, x).mapv(activation))
            })
        };
        let norm = |name: &str, x: &Array2<f64>| {
            let (weight, bias) = (
                vector(&format!("{name}.weight")),
                vector(&format!("{name}.bias")),
            );
            rows(x, |x| common::layer_norm(&weight, &bias, x))
        };
        if norm_first {
            x = &x + &attend(&norm("norm1", &x));
            x = &x + &feed(&norm("norm2", &x));
        } else {
            x = norm("norm1", &(&x + &attend(&x)));
            x = norm("norm2", &(&x + &feed(&x)));
        }
    }
    x
}

fn rows(x: &Array2<f64>, function: impl Fn(&Array1<f64>) -> Array1<f64>) -> Array2<f64> {
    let mut result = x.clone();
    for mut row in result.axis_iter_mut(Axis(0)) {
        let found = function(&row.to_owned());
        row.assign(&found);
    }
    result
}

fn relu(x: f64) -> f64 {
    x.max(0.0)
}

macro_rules! tests {
    ($($name:ident: $t:ident;)+) => {
        $(#[test]
        fn $name() {
            for device in DEVICES {
                let device = Device::open(device).unwrap();
                let mut numbers = Numbers::new(1);
                let (parameters, weights) = weights::<$t>(&mut numbers);
                let program = super::$name::Program::loader(&device)
                    .parameters("model", &parameters)
                    .load()
                    .unwrap();
                for (texts, length) in [(1, 1), (3, 5), (2, 17), (1, 2)] {
                    let src: Array3<$t> = numbers.array((texts, length, 8));
                    let padding = Array2::from_shape_fn((texts, length), |(text, at)| at > text + 1);
                    let mut expected = wide(&src);
                    for (text, mut expected) in expected.outer_iter_mut().enumerate() {
                        let src = wide(&src).slice(s![text, .., ..]).to_owned();
                        let sees = |_, key: usize| !padding[[text, key]];
                        expected.assign(&encode(&weights, &src, (relu, false), sees));
                    }
                    assert_near(program.usual(&src, &padding), &expected);
                }
                let src: Array3<$t> = numbers.array((2, 6, 8));
                let mut expected = wide(&src);
                for mut expected in expected.outer_iter_mut() {
                    let src = expected.to_owned();
                    expected.assign(&encode(&weights, &src, (gelu, true), |_, _| true));
                }
                assert_near(program.first(&src), &expected);
            }
        })+
    };
}

mod encoders {
    use super::*;

    tests! {
        single: f32;
        double: f64;
        short: bf16;
    }
}
