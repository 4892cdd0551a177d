//! Many functions with formulas: of one tensor, and one after the other.

use super::{Case, Numbers};

pub(super) const CASES: &[Case] = &[
    Case {
        text: "(&self, x: Tensor<f64>) -> Tensor<f64> {
            let mut x = x;
            for _ in 0..8 { let (f, d) = value_and_grad(|x: Tensor<f64>| x.sin() + x * 2.0 - x.cos() * 0.5)(x); x = x - f / d; }
            x
        }",
        inputs: &[("f64", &[])],
        results: &["f64"],
        expected: |x| vec![x[0].mapv(root)],
    },
    Case {
        text: "(&self, x: Tensor<f64, 5>) -> Tensor<f64, 5> { let mut x = x; for _ in 0..20 { x = x.sin() * x.cos() + x; } x }",
        inputs: &[("f64", &[5])],
        results: &["f64"],
        expected: |x| vec![x[0].mapv(|x| (0..20).fold(x, |x, _| x.sin() * x.cos() + x))],
    },
    Case {
        text: "(&self, x: Tensor<f64, 6>) -> (Tensor<f64, 6>, Tensor<f64, 6>, Tensor<f64, 6>, Tensor<f64, 6>, Tensor<f64, 6>,
            Tensor<f64, 6>, Tensor<f64, 6>, Tensor<f64, 6>, Tensor<f64, 6>, Tensor<f64, 6>, Tensor<f64, 6>, Tensor<f64, 6>,
            Tensor<f64, 6>, Tensor<f64, 6>, Tensor<f64, 6>, Tensor<f64, 6>) {
            (x.sin(), x.cos(), x.tan(), x.exp(), x.sinh(), x.cosh(), x.tanh(), x.atan(), x.asinh(), x.exp_m1(), x.abs(),
             x.floor(), x.ceil(), x.cbrt(), x.exp2(), x.sigmoid())
        }",
        inputs: &[("f64", &[6])],
        results: &["f64"; 16],
        expected: sixteen,
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f64, N>) -> (Tensor<f64, N>, Tensor<f64, N>, Tensor<f64, N>, Tensor<f64, N>,
            Tensor<f64, N>, Tensor<f64, N>, Tensor<f64, N>, Tensor<f64, N>, Tensor<f64, N>, Tensor<f64, N>, Tensor<f64, N>,
            Tensor<f64, N>, Tensor<f64, N>, Tensor<f64, N>, Tensor<f64, N>, Tensor<f64, N>) {
            (x.sin(), x.cos(), x.tan(), x.exp(), x.sinh(), x.cosh(), x.tanh(), x.atan(), x.asinh(), x.exp_m1(), x.abs(),
             x.floor(), x.ceil(), x.cbrt(), x.exp2(), x.sigmoid())
        }",
        inputs: &[("f64", &[6])],
        results: &["f64"; 16],
        expected: sixteen,
    },
];

/// The zero that Newton's method finds in eight steps.
fn root(x: f64) -> f64 {
    let step = |x: f64, _| {
        let value = x.sin() + x * 2.0 - x.cos() * 0.5;
        x - value / (x.cos() + 2.0 + x.sin() * 0.5)
    };
    (0..8).fold(x, step)
}

fn sixteen(x: &[Numbers]) -> Vec<Numbers> {
    let functions: [fn(f64) -> f64; 16] = [
        f64::sin,
        f64::cos,
        f64::tan,
        f64::exp,
        f64::sinh,
        f64::cosh,
        f64::tanh,
        f64::atan,
        f64::asinh,
        f64::exp_m1,
        f64::abs,
        f64::floor,
        f64::ceil,
        f64::cbrt,
        f64::exp2,
        |x| 1.0 / (1.0 + (-x).exp()),
    ];
    functions.map(|function| x[0].mapv(function)).to_vec()
}
