//! Parts of tensors with gaps between their elements, of which single elements are looked up; and tensors that are put
//! together where they are multiplied.

use super::Case;
use ndarray::{Array2, Array3, Axis, Ix2, Ix3, concatenate, s};

pub(super) const CASES: &[Case] = &[
    Case {
        text: "(&self, x: Tensor<f64, 16, 1, 17>) -> Tensor<f64, 8, 1> { x[s![..;-2, ..;2, 15]] }",
        inputs: &[("f64", &[16, 1, 17])],
        results: &["f64"],
        expected: |x| vec![x[0].slice(s![..;-2, ..;2, 15]).into_owned().into_dyn()],
    },
    Case {
        text: "(&self, x: Tensor<f32, 2, 16, 16, 2>) -> Tensor<f32, 8, 15, 1> { x[s![0, ..;-2, ..-1, 0..1]] }",
        inputs: &[("f32", &[2, 16, 16, 2])],
        results: &["f32"],
        expected: |x| vec![x[0].slice(s![0, ..;-2, ..-1, 0..1]).into_owned().into_dyn()],
    },
    Case {
        text: "(&self, x: Tensor<f64, 3, 16, 16>) -> Tensor<f64, 3, 16, 16> { let mut v = x; v[s![..;-2, .., 12]] += 1.0; v }",
        inputs: &[("f64", &[3, 16, 16])],
        results: &["f64"],
        expected: |x| {
            let mut v = x[0].clone();
            v.slice_mut(s![..;-2, .., 12]).mapv_inplace(|x| x + 1.0);
            vec![v]
        },
    },
    // What is false whatever the operand is, repeated and changed in part.
    Case {
        text: "(&self, x: Tensor<bool, 16, 16>) -> Tensor<bool, 16, 16> {
            let v = (x != (x & x)).all_axis(1).insert_axis(1); let mut w = v.broadcast_to([16, 16]); w[s![.., 6..;2]] = v; w
        }",
        inputs: &[("bool", &[16, 16])],
        results: &["bool"],
        expected: |x| vec![x[0].mapv(|_| 0.0)],
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<i32, N, 1, N>) -> Tensor<i32, N, 1, 1> {
            let v = x.insert_axis(2).prod_axis(3); let mut w = v; w[s![..;-1, ..;2, ..;1]] += v; w
        }",
        inputs: &[("i32", &[5, 1, 5])],
        results: &["i32"],
        expected: |x| {
            let v = x[0].product_axis(Axis(2)).insert_axis(Axis(2));
            let turned = v.slice(s![..;-1, .., ..]);
            vec![&v + &turned.into_dyn()]
        },
    },
    Case {
        text: "<const N: usize, const M: usize>(&self, x: Tensor<f32, N, M>) -> Tensor<f32, N> { x[s![..;-1, 0]] }",
        inputs: &[("f32", &[19, 3])],
        results: &["f32"],
        expected: |x| vec![x[0].slice(s![..;-1, 0]).into_owned().into_dyn()],
    },
    Case {
        text: "(&self, x: Tensor<f32, 16, 17>, i: Tensor<i32>) -> Tensor<f32, 16> { x[s![.., i]].reverse(0) }",
        inputs: &[("f32", &[16, 17]), ("i32", &[])],
        results: &["f32"],
        expected: |x| {
            let place = (x[1].sum() as isize).clamp(0, 16);
            vec![x[0].slice(s![..;-1, place]).into_owned().into_dyn()]
        },
    },
    Case {
        text: "<const N: usize, const M: usize>(&self, x: Tensor<f32, M, N>, y: Tensor<f32, N, M>) -> Tensor<f32, N, N> {
            y.matmul(x.roll(2, 1))
        }",
        inputs: &[("f32", &[9, 5]), ("f32", &[5, 9])],
        results: &["f32"],
        expected: |x| {
            let (x, y) = (matrix(&x[0]), matrix(&x[1]));
            let rolled = Array2::from_shape_fn(x.dim(), |(i, j)| x[[i, (j + 3) % 5]]);
            vec![y.dot(&rolled).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize, const M: usize>(&self, x: Tensor<f32, M, N>, y: Tensor<f32, N, M>) -> Tensor<f32, N, {2 * N}> {
            y.matmul(concatenate([x, x], 1))
        }",
        inputs: &[("f32", &[9, 5]), ("f32", &[5, 9])],
        results: &["f32"],
        expected: |x| {
            let (x, y) = (matrix(&x[0]), matrix(&x[1]));
            let both = concatenate(Axis(1), &[x.view(), x.view()]).expect("as many rows");
            vec![y.dot(&both).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<i32, N, N, N, 4>) -> Tensor<i32, N, N, N, 4> { x.cumprod(3) }",
        inputs: &[("i32", &[3, 3, 3, 4])],
        results: &["i32"],
        expected: |x| {
            let mut all = x[0].clone();
            all.accumulate_axis_inplace(Axis(3), |before, now| *now *= before);
            vec![all]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<Complex<f64>, N, N, N>) -> Tensor<f64, N, N, N> { x.cumsum(1).re() }",
        inputs: &[("Complex<f64>", &[3, 3, 3])],
        results: &["f64"],
        expected: |x| {
            let mut all: Array3<f64> = x[0].clone().into_dimensionality::<Ix3>().expect("three axes");
            all.accumulate_axis_inplace(Axis(1), |before, now| *now += before);
            vec![all.into_dyn()]
        },
    },
];

fn matrix(x: &super::Numbers) -> Array2<f64> {
    x.clone().into_dimensionality::<Ix2>().expect("two axes")
}
