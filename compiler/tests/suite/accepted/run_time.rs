//! Products of sizes that are known at the call only: parts of them, and factors that come from one reduction.

use super::{Case, Numbers};
use ndarray::{Array1, Array2, Array3, Axis, Ix1, Ix2, Ix3, Ix4, s};

pub(super) const CASES: &[Case] = &[
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, N>) -> (Tensor<f32, _, N>, Tensor<f32, N>) {
            (x.matmul(x)[s![..-1, ..]], x.matmul(x).tanh()[1])
        }",
        inputs: &[("f32", &[5, 5])],
        results: &["f32", "f32"],
        expected: |x| {
            let product = square(&x[0]);
            let part = product.slice(s![..-1, ..]).to_owned();
            vec![part.into_dyn(), product.row(1).mapv(f64::tanh).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, N>) -> Tensor<f32, N, _> { x.matmul(x)[s![.., 1..]] }",
        inputs: &[("f32", &[40, 40])],
        results: &["f32"],
        expected: |x| vec![square(&x[0]).slice(s![.., 1..]).to_owned().into_dyn()],
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, N>, k: Tensor<i32>) -> Tensor<f32, N> { x.matmul(x)[k * 0 + 2] }",
        inputs: &[("f32", &[7, 7]), ("i32", &[])],
        results: &["f32"],
        expected: |x| vec![square(&x[0]).row(2).to_owned().into_dyn()],
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, 64, N>, y: Tensor<f32, N, 64>) -> Tensor<f32, 63, 64> { x.matmul(y)[s![1.., ..]] }",
        inputs: &[("f32", &[64, 3]), ("f32", &[3, 64])],
        results: &["f32"],
        expected: |x| {
            let product = matrix(&x[0]).dot(&matrix(&x[1]));
            vec![product.slice(s![1.., ..]).to_owned().into_dyn()]
        },
    },
    Case {
        text: "<const N: usize, const M: usize>(&self, x: Tensor<f32, N, 64>, y: Tensor<f32, 64, M>) -> Tensor<f32, M> {
            x.matmul(y)[s![1.., ..]].sum_axis(0)
        }",
        inputs: &[("f32", &[4, 64]), ("f32", &[64, 5])],
        results: &["f32"],
        expected: |x| {
            let product = matrix(&x[0]).dot(&matrix(&x[1]));
            vec![product.slice(s![1.., ..]).sum_axis(Axis(0)).into_dyn()]
        },
    },
    Case {
        text: "<const B: usize, const N: usize>(&self, x: Tensor<f32, B, N, 8>) -> Tensor<f32, B, _, N> {
            x.matmul(x.swap_axes(1, 2))[s![.., 1.., ..]]
        }",
        inputs: &[("f32", &[2, 5, 8])],
        results: &["f32"],
        expected: |x| {
            let x: Array3<f64> = x[0].clone().into_dimensionality::<Ix3>().expect("three axes");
            let mut products = Array3::zeros((2, 4, 5));
            for (of, mut product) in x.outer_iter().zip(products.outer_iter_mut()) {
                product.assign(&of.dot(&of.t()).slice(s![1.., ..]));
            }
            vec![products.into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, 3, 16, 3, N>, y: Tensor<f32, 1, 16, 3, N>) -> Tensor<f32, N, 16, 3> {
            let sum = x.sum_axis(3); einsum!(\"abcd,abc->dbc\", y * sum.insert_axis(3), sum)
        }",
        inputs: &[("f32", &[3, 16, 3, 5]), ("f32", &[1, 16, 3, 5])],
        results: &["f32"],
        expected: |x| {
            let squares = x[0].sum_axis(Axis(3)).mapv(|sum| sum * sum).sum_axis(Axis(0));
            let y = x[1].clone().into_dimensionality::<Ix4>().expect("four axes");
            let scaled = &y.index_axis(Axis(0), 0) * &squares.insert_axis(Axis(2));
            let scaled = scaled.into_dimensionality::<Ix3>().expect("three axes");
            vec![scaled.permuted_axes([2, 0, 1]).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, 16, N>, y: Tensor<f32, 16, N>) -> Tensor<f32, N> {
            let sum = x.sum_axis(1); sum.dot(y * sum.insert_axis(1))
        }",
        inputs: &[("f32", &[16, 9]), ("f32", &[16, 9])],
        results: &["f32"],
        expected: |x| {
            let squares: Array1<f64> = matrix(&x[0]).sum_axis(Axis(1)).mapv(|sum| sum * sum);
            let squares = squares.into_dimensionality::<Ix1>().expect("an axis");
            vec![squares.dot(&matrix(&x[1])).into_dyn()]
        },
    },
];

fn matrix(x: &Numbers) -> Array2<f64> {
    let matrix = x.clone().into_dimensionality::<Ix2>();
    matrix.expect("two axes")
}

fn square(x: &Numbers) -> Array2<f64> {
    let x = matrix(x);
    x.dot(&x)
}
