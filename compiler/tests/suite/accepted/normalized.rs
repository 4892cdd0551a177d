//! What is normalized along an axis, and kept.

use super::{Case, Numbers};
use ndarray::Axis;

pub(super) const CASES: &[Case] = &[
    Case {
        text: "(&self, x: Tensor<f32, 330, 640>) -> (Tensor<f32, 330, 640>, Tensor<f32, 330, 640>) {
            let h = x + x; (h.normalize_axis(1), h.abs())
        }",
        inputs: &[("f32", &[330, 640])],
        results: &["f32", "f32"],
        expected: |x| {
            let h = &x[0] * 2.0;
            vec![normalized(&h, 1), h.mapv(f64::abs)]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 32, 72, 32>) -> (Tensor<f32, 32, 72, 32>, Tensor<f32, 32, 72, 32>) {
            let h = x * x; (h.normalize_axis(1), h)
        }",
        inputs: &[("f32", &[32, 72, 32])],
        results: &["f32", "f32"],
        expected: |x| {
            let h = &x[0] * &x[0];
            vec![normalized(&h, 1), h]
        },
    },
    Case {
        text: "<const M: usize, const N: usize>(&self, x: Tensor<f32, M, 33, N>) -> (Tensor<f32, M, 33, N>, Tensor<f32, M, 33, N>) {
            let h = x - 3.0; (h.softmax(1), h.abs())
        }",
        inputs: &[("f32", &[5, 33, 40])],
        results: &["f32", "f32"],
        expected: |x| {
            let h = &x[0] - 3.0;
            vec![softmax(&h, 1), h.mapv(f64::abs)]
        },
    },
    Case {
        text: "(&self, x: Tensor<f64, 64, 512>) -> (Tensor<f64, 64, 512>, Tensor<f64, 64, 512>, Tensor<f64, 64, 512>) {
            let h = x * 0.5; let n = h.normalize_axis(1); (n.softmax(1), n, h[s![.., ..;-1]])
        }",
        inputs: &[("f64", &[64, 512])],
        results: &["f64", "f64", "f64"],
        expected: |x| {
            let h = &x[0] * 0.5;
            let n = normalized(&h, 1);
            let mut reversed = h;
            reversed.invert_axis(Axis(1));
            vec![softmax(&n, 1), n, reversed]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 16, 64, 12, 12>, y: Tensor<f32, 64>) -> (Tensor<f32, 16, 64, 12, 12>, Tensor<f32, 16, 64, 12, 12>) {
            let h = x * y.reshape([64, 1, 1]); (h.normalize_axis([2, 3]), h * h)
        }",
        inputs: &[("f32", &[16, 64, 12, 12]), ("f32", &[64])],
        results: &["f32", "f32"],
        expected: |x| {
            let factors = x[1].to_shape((64, 1)).expect("as many elements");
            let h = x[0].to_shape((16, 64, 144)).expect("as many elements");
            let h = (&h * &factors).into_dyn();
            let whole = |x: Numbers| {
                let shape = [16, 64, 12, 12].as_slice();
                x.into_shape_with_order(shape).expect("as many elements")
            };
            vec![whole(normalized(&h, 2)), whole(&h * &h)]
        },
    },
];

/// Less the mean, by the deviation as the language computes it.
fn normalized(x: &Numbers, axis: usize) -> Numbers {
    let mean = |x: &Numbers| {
        let mean = x.mean_axis(Axis(axis)).expect("the axis is not empty");
        mean.insert_axis(Axis(axis))
    };
    let centered = x - &mean(x);
    let variance = mean(&(&centered * &centered));
    centered / variance.mapv(|variance| (variance + 1e-5).sqrt())
}

fn softmax(x: &Numbers, axis: usize) -> Numbers {
    let powers = x.mapv(f64::exp);
    let sums = powers.sum_axis(Axis(axis)).insert_axis(Axis(axis));
    powers / sums
}
