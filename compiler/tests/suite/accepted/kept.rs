//! Large products of which several values are kept.

use super::{Case, Numbers};
use ndarray::{Array2, Axis, Ix2};

pub(super) const CASES: &[Case] = &[
    Case {
        text: "(&self, x: Tensor<f32, 512, 128>, w: Tensor<f32, 512, 128>) -> (Tensor<f32, 512, 512>, Tensor<f32, 512, 512>) {
            let y = x.dot(w.t()); (y, y * y)
        }",
        inputs: &[("f32", &[512, 128]), ("f32", &[512, 128])],
        results: &["f32", "f32"],
        expected: |x| {
            let y = matrix(&x[0]).dot(&matrix(&x[1]).t());
            vec![y.clone().into_dyn(), (&y * &y).into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 16, 64>, w: Tensor<f32, 64, 4096>, b: Tensor<f32, 4096>)
            -> (Tensor<f32, 16, 4096>, Tensor<f32, 16, 4096>, Tensor<f32, 16, 4096>) {
            let y = x.dot(w) + b; let z = y * y; (y, z - 1.0, z * y)
        }",
        inputs: &[("f32", &[16, 64]), ("f32", &[64, 4096]), ("f32", &[4096])],
        results: &["f32", "f32", "f32"],
        expected: |x| {
            let y = matrix(&x[0]).dot(&matrix(&x[1])) + &x[2];
            let z = &y * &y;
            vec![y.clone(), &z - 1.0, &z * &y]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, 64>, w: Tensor<f32, 64, 512>)
            -> (Tensor<f32, N, 512>, Tensor<f32, N, 512>) { let y = x.dot(w).abs(); (y, y.sqrt()) }",
        inputs: &[("f32", &[70, 64]), ("f32", &[64, 512])],
        results: &["f32", "f32"],
        expected: |x| {
            let y = matrix(&x[0]).dot(&matrix(&x[1])).mapv(f64::abs);
            vec![y.clone().into_dyn(), y.mapv(f64::sqrt).into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 1, 128, 64>, w: Tensor<f32, 1, 64, 160>) -> (Tensor<f32, 1, 128, 160>, Tensor<f32, 1, 128>) {
            let y = x.matmul(w); (y.abs(), (y - 1.0).sum_axis(2))
        }",
        inputs: &[("f32", &[1, 128, 64]), ("f32", &[1, 64, 160])],
        results: &["f32", "f32"],
        expected: |x| {
            let [x, w] = [&x[0], &x[1]].map(|x| matrix(&x.index_axis(Axis(0), 0).to_owned()));
            let y = x.dot(&w).insert_axis(Axis(0));
            vec![y.mapv(f64::abs).into_dyn(), (y - 1.0).sum_axis(Axis(2)).into_dyn()]
        },
    },
];

fn matrix(x: &Numbers) -> Array2<f64> {
    x.clone().into_dimensionality::<Ix2>().expect("two axes")
}
