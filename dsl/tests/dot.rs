//! Products of tensors of more than two axes with vectors and matrices.

use iree_dsl::prelude::*;
use ndarray::{Array2, Array3, array, s};

#[program]
mod dots {
    pub struct Dots;

    impl Dots {
        pub fn by_vector(&self, x: Tensor<f32, 2, 3, 4>, v: Tensor<f32, 4>) -> Tensor<f32, 2, 3> {
            x.dot(v)
        }

        pub fn by_matrix<const B: usize, const N: usize>(
            &self,
            x: Tensor<i32, B, 3, 2, N>,
            w: Tensor<i32, N, 5>,
        ) -> Tensor<i32, B, 3, 2, 5> {
            x.dot(w)
        }

        pub fn of_rows<const B: usize, const N: usize>(
            &self,
            x: Tensor<f64, B, 3, N>,
            v: Tensor<f64, N>,
        ) -> Tensor<f64, B, 3> {
            x.dot(v)
        }

        pub fn vector_left<const B: usize>(
            &self,
            v: Tensor<f32, 3>,
            x: Tensor<f32, B, 3, 4>,
        ) -> Tensor<f32, B, 4> {
            v.dot(x)
        }
    }
}

#[test]
fn tensors_of_more_axes_are_multiplied_by_vectors_and_matrices() {
    for name in ["local-sync", "local-task"] {
        let program = dots::Dots::load(&Device::open(name).unwrap()).unwrap();
        let x = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (i * 12 + j * 4 + k) as f32 - 7.0);
        let v = array![1.0_f32, -2.0, 0.5, 3.0];
        let found = program.by_vector(&x, &v).unwrap().to_array().unwrap();
        for (i, rows) in x.outer_iter().enumerate() {
            assert_eq!(found.row(i), rows.dot(&v));
        }
        let row = array![1.0_f32, -2.0, 0.5];
        let found = program.vector_left(&row, &x).unwrap().to_array().unwrap();
        for (i, rows) in x.outer_iter().enumerate() {
            assert_eq!(found.row(i), row.dot(&rows));
        }
        let x = x.mapv(f64::from);
        let v = v.mapv(f64::from);
        let found = program.of_rows(&x, &v).unwrap().to_array().unwrap();
        for (i, rows) in x.outer_iter().enumerate() {
            assert_eq!(found.row(i), rows.dot(&v));
        }
        for b in [1, 3] {
            let x = ndarray::Array4::from_shape_fn((b, 3, 2, 6), |(i, j, k, l)| {
                (i * 36 + j * 12 + k * 6 + l) as i32 - 20
            });
            let w = Array2::from_shape_fn((6, 5), |(i, j)| 3 * i as i32 - 2 * j as i32);
            let found = program.by_matrix(&x, &w).unwrap().to_array().unwrap();
            for (i, block) in x.outer_iter().enumerate() {
                for (j, rows) in block.outer_iter().enumerate() {
                    assert_eq!(found.slice(s![i, j, .., ..]), rows.dot(&w));
                }
            }
        }
    }
}
