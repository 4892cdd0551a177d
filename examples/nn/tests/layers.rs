//! The layers that others are made of, next to plain Rust.

mod common;

use common::{DEVICES, Number, Numbers, assert_near, by_rows, wide};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array4, Axis, array};

macro_rules! programs {
    ($name:ident, $t:ident) => {
        #[program]
        pub mod $name {
            #[kernel]
            use nn::layers::{
                Embedding, LayerNorm, Linear, LinearWithoutBias, embedding, gelu, gelu_tanh,
                layer_norm, layer_norm_eps, linear, linear_without_bias,
            };
            #[kernel]
            use nn::mlp::{Mlp, mlp};

            pub struct Layers;

            impl Layers {
                pub fn vector(&self, layer: Linear<5, 3, $t>, x: Tensor<$t, 5>) -> Tensor<$t, 3> {
                    linear(layer, x)
                }

                pub fn rows<const N: usize>(
                    &self,
                    layer: Linear<5, 3, $t>,
                    x: Tensor<$t, N, 5>,
                ) -> Tensor<$t, N, 3> {
                    linear(layer, x)
                }

                pub fn fixed(
                    &self,
                    layer: Linear<5, 3, $t>,
                    x: Tensor<$t, 2, 4, 5>,
                ) -> Tensor<$t, 2, 4, 3> {
                    linear(layer, x)
                }

                pub fn texts<const B: usize, const L: usize>(
                    &self,
                    layer: LinearWithoutBias<5, 3, $t>,
                    x: Tensor<$t, B, 2, L, 5>,
                ) -> Tensor<$t, B, 2, L, 3> {
                    linear_without_bias(layer, x)
                }

                pub fn one(&self, layer: Embedding<7, 4, $t>, x: Tensor<i64>) -> Tensor<$t, 4> {
                    embedding(layer, x)
                }

                pub fn words<const B: usize, const L: usize>(
                    &self,
                    layer: Embedding<7, 4, $t>,
                    x: Tensor<i32, B, L>,
                ) -> Tensor<$t, B, L, 4> {
                    embedding(layer, x)
                }

                pub fn norm(&self, norm: LayerNorm<6, $t>, x: Tensor<$t, 6>) -> Tensor<$t, 6> {
                    layer_norm(norm, x)
                }

                pub fn norms<const B: usize, const L: usize>(
                    &self,
                    norm: LayerNorm<6, $t>,
                    x: Tensor<$t, B, L, 6>,
                ) -> (Tensor<$t, B, L, 6>, Tensor<$t, B, L, 6>) {
                    (layer_norm(norm, x), layer_norm_eps(norm, x, 0.25))
                }

                pub fn units<const N: usize>(
                    &self,
                    x: Tensor<$t, N, 3>,
                ) -> (Tensor<$t, N, 3>, Tensor<$t, N, 3>) {
                    (gelu(x), gelu_tanh(x))
                }

                pub fn perceptron<const N: usize>(
                    &self,
                    layers: Mlp<5, 8, 2, $t>,
                    x: Tensor<$t, N, 5>,
                ) -> Tensor<$t, N, 2> {
                    mlp(layers, x)
                }
            }
        }
    };
}

programs!(single, f32);
programs!(double, f64);
programs!(short, bf16);

macro_rules! tests {
    ($($name:ident: $t:ident;)+) => {
        $(mod $name {
            use super::*;

            #[test]
            fn linear_layers_take_any_number_of_axes() {
                for device in DEVICES {
                    let device = Device::open(device).unwrap();
                    let program = super::super::$name::Layers::load(&device).unwrap();
                    let mut numbers = Numbers::new(1);
                    let dense = dense::<$t>(&mut numbers, 5, 3);
                    let layer = nn::layers::Linear {
                        weight: device.upload(&dense.0).unwrap(),
                        bias: device.upload(&dense.1).unwrap(),
                    };
                    let reference = (wide(&dense.0), wide(&dense.1));
                    let row = |x: &Array1<f64>| common::linear(&reference, x);
                    let x: Array1<$t> = numbers.array(5);
                    assert_near(program.vector(&layer, &x), &row(&wide(&x)));
                    for rows in [1, 7, 64, 3, 0] {
                        let x: Array2<$t> = numbers.array((rows, 5));
                        let expected = match rows {
                            0 => Array2::zeros((0, 3)),
                            _ => by_rows(&wide(&x), row).into_dimensionality().unwrap(),
                        };
                        assert_near(program.rows(&layer, &x), &expected);
                    }
                    let x: ndarray::Array3<$t> = numbers.array((2, 4, 5));
                    let expected = by_rows(&wide(&x), row).into_dimensionality().unwrap();
                    assert_near(program.fixed(&layer, &x), &expected);
                    let plain = nn::layers::LinearWithoutBias {
                        weight: device.upload(&dense.0).unwrap(),
                    };
                    for (texts, length) in [(1, 1), (3, 5), (2, 16)] {
                        let x: Array4<$t> = numbers.array((texts, 2, length, 5));
                        let expected = by_rows(&wide(&x), |x| row(x) - &reference.1);
                        let expected = expected.into_dimensionality().unwrap();
                        assert_near(program.texts(&plain, &x), &expected);
                    }
                }
            }

            #[test]
            fn embeddings_are_rows() {
                for device in DEVICES {
                    let device = Device::open(device).unwrap();
                    let program = super::super::$name::Layers::load(&device).unwrap();
                    let table: Array2<$t> = Numbers::new(2).array((7, 4));
                    let layer = nn::layers::Embedding { weight: device.upload(&table).unwrap() };
                    let expected = table.row(6).to_owned();
                    assert_eq!(program.one(&layer, 6).unwrap().to_array().unwrap(), expected);
                    let words = array![[0, 6, 3, 3], [5, 1, 0, 2], [4, 4, 4, 6]];
                    for (texts, length) in [(1, 1), (3, 4), (2, 3)] {
                        let words = words.slice(ndarray::s![..texts, ..length]);
                        let found = program.words(&layer, words).unwrap().to_array().unwrap();
                        let indices: Vec<_> = words.iter().map(|word| *word as usize).collect();
                        let expected = table.select(Axis(0), &indices);
                        assert_eq!(found.into_shape_with_order(expected.dim()).unwrap(), expected);
                    }
                }
            }

            #[test]
            fn rows_are_normalised() {
                for device in DEVICES {
                    let device = Device::open(device).unwrap();
                    let program = super::super::$name::Layers::load(&device).unwrap();
                    let mut numbers = Numbers::new(3);
                    let (weight, bias) = (numbers.array(6), numbers.array(6));
                    let norm = nn::layers::LayerNorm::<6, $t> {
                        weight: device.upload(&weight).unwrap(),
                        bias: device.upload(&bias).unwrap(),
                    };
                    let (weight, bias) = (wide(&weight), wide(&bias));
                    let row = |x: &Array1<f64>| common::layer_norm(&weight, &bias, x);
                    let other = |x: &Array1<f64>| common::normalized(x, 0.25) * &weight + &bias;
                    let x: Array1<$t> = numbers.array(6);
                    assert_near(program.norm(&norm, &x), &row(&wide(&x)));
                    let equal = Array1::from_elem(6, <$t>::of(3.0));
                    assert_near(program.norm(&norm, &equal), &bias);
                    for (texts, length) in [(1, 1), (4, 9), (2, 3)] {
                        let x: ndarray::Array3<$t> = numbers.array((texts, length, 6));
                        let (first, second) = program.norms(&norm, &x).unwrap();
                        let expected = by_rows(&wide(&x), row).into_dimensionality().unwrap();
                        assert_near(Ok(first), &expected);
                        let expected = by_rows(&wide(&x), other).into_dimensionality().unwrap();
                        assert_near(Ok(second), &expected);
                    }
                }
            }

            #[test]
            fn units_are_those_of_pytorch() {
                for device in DEVICES {
                    let device = Device::open(device).unwrap();
                    let program = super::super::$name::Layers::load(&device).unwrap();
                    let mut numbers = Numbers::new(4);
                    for rows in [1, 33, 2] {
                        let x: Array2<$t> = numbers.array((rows, 3));
                        let x = x.mapv(|x| <$t>::of(x.wide() * 4.0));
                        let (gelu, tanh) = program.units(&x).unwrap();
                        assert_near(Ok(gelu), &wide(&x).mapv(common::gelu));
                        assert_near(Ok(tanh), &wide(&x).mapv(common::gelu_tanh));
                    }
                }
            }

            #[test]
            fn perceptrons_have_two_layers() {
                for device in DEVICES {
                    let device = Device::open(device).unwrap();
                    let program = super::super::$name::Layers::load(&device).unwrap();
                    let mut numbers = Numbers::new(5);
                    let hidden = dense::<$t>(&mut numbers, 5, 8);
                    let output = dense::<$t>(&mut numbers, 8, 2);
                    let upload = |layer: &(Array2<$t>, Array1<$t>)| {
                        (device.upload(&layer.0).unwrap(), device.upload(&layer.1).unwrap())
                    };
                    let ((hidden_weight, hidden_bias), (weight, bias)) =
                        (upload(&hidden), upload(&output));
                    let layers = nn::mlp::Mlp::<5, 8, 2, $t> {
                        hidden: nn::layers::Linear { weight: hidden_weight, bias: hidden_bias },
                        output: nn::layers::Linear { weight, bias },
                    };
                    let [hidden, output] =
                        [hidden, output].map(|(weight, bias)| (wide(&weight), wide(&bias)));
                    for rows in [1, 6] {
                        let x: Array2<$t> = numbers.array((rows, 5));
                        let expected = by_rows(&wide(&x), |x| {
                            common::linear(&output, &common::linear(&hidden, x).mapv(common::gelu))
                        });
                        let expected = expected.into_dimensionality().unwrap();
                        assert_near(program.perceptron(&layers, &x), &expected);
                    }
                }
            }
        })+
    };
}

fn dense<T: Number>(
    numbers: &mut Numbers,
    inputs: usize,
    outputs: usize,
) -> (Array2<T>, Array1<T>) {
    (numbers.array((outputs, inputs)), numbers.array(outputs))
}

mod layers {
    use super::*;

    tests! {
        single: f32;
        double: f64;
        short: bf16;
    }
}
