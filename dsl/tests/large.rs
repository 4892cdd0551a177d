//! Reductions and products of so many numbers that they are computed in parts.

use half::bf16;
use iree_dsl::prelude::*;
use ndarray::{Array2, Array3};

#[program(targets = ["cpu", "cpu:x86-64-v3"])]
mod large {
    type Numbers = Tensor<i32, 3, 1024, 100>;

    pub struct Large;

    impl Large {
        pub fn of_integers(
            &self,
            x: Numbers,
        ) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<bool>) {
            (x.sum(), x.max(), x.min(), (x > 5).any())
        }

        /// The factor of one is computed before it is added up.
        pub fn of_floats(
            &self,
            x: Tensor<f32, 513, 1024>,
        ) -> (Tensor<f32>, Tensor<f32>, Tensor<i32>) {
            (x.mean(), (x * 2.0).sum(), x.flatten().argmax_axis(0))
        }

        /// An odd number of elements has no equal parts.
        pub fn of_an_odd_number(&self, x: Tensor<f32, 363, 363>) -> Tensor<f32> {
            x.sum()
        }

        pub fn products(
            &self,
            a: Tensor<bf16, 64, 48>,
            b: Tensor<bf16, 48, 32>,
        ) -> (Tensor<bf16, 64, 32>, Tensor<f32, 64, 32>) {
            (
                a.dot(b),
                dot_general!(a, b, contract = ([1], [0]), accumulate = f32),
            )
        }
    }
}

fn load() -> large::Large {
    large::Large::load(&Device::open("local-task").unwrap()).unwrap()
}

#[test]
fn integers_are_reduced_exactly() {
    let x = Array3::from_shape_fn((3, 1024, 100), |(i, j, k)| {
        ((i + 7 * j + 11 * k) % 9) as i32 - 4
    });
    let (sum, max, min, any) = load().of_integers(&x).unwrap();
    assert_eq!(sum.to_scalar().unwrap(), x.sum());
    assert_eq!(
        (max.to_scalar().unwrap(), min.to_scalar().unwrap()),
        (4, -4)
    );
    assert!(!any.to_scalar().unwrap());
}

#[test]
fn floats_are_reduced() {
    // Every sum of some of these is a number of `f32`.
    let x = Array2::from_shape_fn((513, 1024), |(i, j)| ((i * 31 + j) % 17) as f32 / 4.0);
    let (mean, doubled, largest) = load().of_floats(&x).unwrap();
    assert_eq!(mean.to_scalar().unwrap(), x.sum() / x.len() as f32);
    assert_eq!(doubled.to_scalar().unwrap(), 2.0 * x.sum());
    assert_eq!(largest.to_scalar().unwrap(), 16);
    let odd = x.slice(ndarray::s![..363, ..363]).to_owned();
    let sum = load().of_an_odd_number(&odd).unwrap();
    assert_eq!(sum.to_scalar().unwrap(), odd.sum());
}

/// By every artifact that runs here, among which may be one with instructions for `bf16`.
#[test]
fn products_of_bf16_are_the_same_on_every_machine() {
    let small = |i: usize, j: usize| bf16::from_f32(((3 * i + 5 * j) % 13) as f32 - 6.0);
    let (a, b) = (
        Array2::from_shape_fn((64, 48), |(i, j)| small(i, j)),
        Array2::from_shape_fn((48, 32), |(i, j)| small(j, i)),
    );
    let wide = a.mapv(f32::from).dot(&b.mapv(f32::from));
    let device = Device::open("local-task").unwrap();
    let programs = large::Large::ARTIFACTS.iter().filter_map(|artifact| {
        let loader = large::Large::loader(&device).target(artifact.target);
        Some((artifact.target, loader.load().ok()?))
    });
    let mut targets = Vec::new();
    for (target, program) in programs {
        let (narrow, exact) = program.products(&a, &b).unwrap();
        assert_eq!(exact.to_array().unwrap(), wide, "{target}");
        assert_eq!(
            narrow.to_array().unwrap(),
            wide.mapv(bf16::from_f32),
            "{target}"
        );
        targets.push(target);
    }
    assert!(!targets.is_empty());
}
