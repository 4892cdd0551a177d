//! Initial values are those of JAX, for the same key.

use crate::oracle::on_devices;
use iree_dsl::prelude::*;
use ndarray::Array2;

#[program]
mod initial {
    #[kernel]
    use nn::initializers::{
        glorot_normal, glorot_uniform, he_normal, he_uniform, lecun_normal, lecun_uniform,
        orthogonal, truncated_normal,
    };

    pub struct Dense {
        pub glorot_uniform: Tensor<f32, 6, 4>,
        pub glorot_normal: Tensor<f32, 6, 4>,
        pub he_uniform: Tensor<f32, 6, 4>,
        pub he_normal: Tensor<f32, 6, 4>,
        pub lecun_uniform: Tensor<f32, 6, 4>,
        pub lecun_normal: Tensor<f32, 6, 4>,
    }

    pub struct Conv {
        pub glorot_uniform: Tensor<f32, 3, 2, 3, 3>,
        pub glorot_normal: Tensor<f32, 3, 2, 3, 3>,
        pub he_uniform: Tensor<f32, 3, 2, 3, 3>,
        pub he_normal: Tensor<f32, 3, 2, 3, 3>,
        pub lecun_uniform: Tensor<f32, 3, 2, 3, 3>,
        pub lecun_normal: Tensor<f32, 3, 2, 3, 3>,
    }

    pub struct Initial {
        #[global(init = he_normal(random::key(5)))]
        weights: Tensor<f32, 6, 4>,
    }

    impl Initial {
        pub fn weights(&self) -> Tensor<f32, 6, 4> {
            self.weights
        }

        pub fn dense(&self, seed: Tensor<i32>) -> Dense {
            let key = random::key(seed);
            Dense {
                glorot_uniform: glorot_uniform(key),
                glorot_normal: glorot_normal(key),
                he_uniform: he_uniform(key),
                he_normal: he_normal(key),
                lecun_uniform: lecun_uniform(key),
                lecun_normal: lecun_normal(key),
            }
        }

        pub fn conv(&self, seed: Tensor<i32>) -> Conv {
            let key = random::key(seed);
            Conv {
                glorot_uniform: glorot_uniform(key),
                glorot_normal: glorot_normal(key),
                he_uniform: he_uniform(key),
                he_normal: he_normal(key),
                lecun_uniform: lecun_uniform(key),
                lecun_normal: lecun_normal(key),
            }
        }

        pub fn truncated(&self, seed: Tensor<i32>) -> Tensor<f32, 5, 3> {
            truncated_normal(random::key(seed), 0.02)
        }

        pub fn orthogonal(
            &self,
            seed: Tensor<i32>,
        ) -> (Tensor<f32, 6, 4>, Tensor<f32, 3, 5>, Tensor<f32, 4, 4>) {
            let key = random::key(seed);
            (orthogonal(key), orthogonal(key), orthogonal(key))
        }

        pub fn large(&self, seed: Tensor<i32>) -> Tensor<f32, 96, 96> {
            orthogonal(random::key(seed))
        }
    }
}

#[test]
fn initial_values_are_those_of_jax() {
    on_devices(|device, oracle| {
        let program = initial::Initial::load(device).unwrap();
        let dense = program.dense(5).unwrap();
        oracle.check("initial/glorot_uniform", &dense.glorot_uniform);
        oracle.check("initial/glorot_normal", &dense.glorot_normal);
        oracle.check("initial/he_uniform", &dense.he_uniform);
        oracle.check("initial/he_normal", &dense.he_normal);
        oracle.check("initial/he_normal", &program.weights().unwrap());
        oracle.check("initial/lecun_uniform", &dense.lecun_uniform);
        oracle.check("initial/lecun_normal", &dense.lecun_normal);
        let conv = program.conv(5).unwrap();
        oracle.check("initial/glorot_uniform_conv", &conv.glorot_uniform);
        oracle.check("initial/glorot_normal_conv", &conv.glorot_normal);
        oracle.check("initial/he_uniform_conv", &conv.he_uniform);
        oracle.check("initial/he_normal_conv", &conv.he_normal);
        oracle.check("initial/lecun_uniform_conv", &conv.lecun_uniform);
        oracle.check("initial/lecun_normal_conv", &conv.lecun_normal);
        let truncated = program.truncated(5).unwrap();
        oracle.check("initial/truncated", &truncated);
    });
}

#[test]
fn rows_or_columns_are_orthogonal() {
    on_devices(|device, oracle| {
        let program = initial::Initial::load(device).unwrap();
        let (tall, wide, square) = program.orthogonal(5).unwrap();
        oracle.check("initial/orthogonal_6_4", &tall);
        oracle.check("initial/orthogonal_3_5", &wide);
        oracle.check("initial/orthogonal_4_4", &square);
        for seed in 0..4 {
            let q = program.large(seed).unwrap().to_array().unwrap();
            let q = q.mapv(f64::from);
            let error = (q.dot(&q.t()) - Array2::<f64>::eye(96)).mapv(f64::abs);
            assert!(error.iter().all(|error| *error < 1e-6), "{seed}");
        }
    });
}
