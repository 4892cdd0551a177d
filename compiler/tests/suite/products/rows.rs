//! Products of batches of rows, whose numbers are known at the call only, and what is computed of them where they are.

use super::{SIZES, call, each, numbers, single};
use crate::{
    device::{Call, HostTensor, check_calls},
    language::trace_right,
};
use iree_abi::CpuLevel;
use libtest_mimic::Failed;
use ndarray::{Array2, Array3, ArrayView2, Axis};

const SOURCE: &str = r#"mod rows { pub struct P; impl P {
    pub fn biased<const N: usize, const S: usize>(&self, x: Tensor<f32, N, S, 8>, w: Tensor<f32, 8, 12>) -> Tensor<f32, N, S, 12> {
        x.matmul(w) + w[0]
    }
    pub fn residual<const N: usize, const S: usize>(&self, x: Tensor<f32, N, S, 8>, w: Tensor<f32, 8, 12>) -> Tensor<f32, N, S, 8> {
        let y = (x.matmul(w) - w[1]).relu();
        x + y.matmul(w.t())
    }
    pub fn centred<const N: usize, const S: usize>(&self, x: Tensor<f32, N, S, 8>, w: Tensor<f32, 8, 12>) -> Tensor<f32, N, S, 12> {
        let y = x.matmul(w);
        y * 12 - y.sum_axis(2).insert_axis(2)
    }
    pub fn summed<const N: usize, const S: usize>(&self, x: Tensor<f32, N, S, 8>, w: Tensor<f32, 8, 12>) -> Tensor<f32, N, 12> {
        (x.matmul(w) + w[0]).sum_axis(1)
    }
    pub fn heads<const N: usize, const S: usize>(&self, x: Tensor<f32, N, S, 8>, w: Tensor<f32, 8, 12>) -> Tensor<f32, N, 3, S, 4> {
        (x.matmul(w) + w[0]).reshape([N, S, 3, 4]).swap_axes(1, 2)
    }
    pub fn squared<const N: usize, const S: usize>(&self, x: Tensor<f32, N, S, 8>, w: Tensor<f32, 8, 12>) -> Tensor<f32, N, S, S> {
        let y = x.matmul(w) + w[0];
        y.matmul(y.swap_axes(1, 2))
    }
    pub fn texts<const N: usize>(&self, x: Tensor<f32, N, 17, 8>, w: Tensor<f32, 8, 12>) -> Tensor<f32, N, 17, 12> {
        x.matmul(w) + w[0]
    }
    pub fn three<const N: usize, const S: usize>(&self, x: Tensor<f32, N, S, 8>, w: Tensor<f32, 8, 12>) -> Tensor<f32, N, S, N, 12> {
        let x: Tensor<f32, N, S, N, 8> = x.insert_axis(2).broadcast_to([N, S, N, 8]);
        x.matmul(w) + w[0]
    }
    pub fn integers<const N: usize, const S: usize>(&self, x: Tensor<f32, N, S, 8>, w: Tensor<f32, 8, 12>) -> Tensor<f32, N, S, 12> {
        ((x + 2) as u32).matmul((w + 2) as u32) as f32 + w[0]
    }
    pub fn wide<const N: usize, const S: usize>(&self, x: Tensor<f32, N, S, 8>, w: Tensor<f32, 8, 12>) -> Tensor<f32, N, S, 12> {
        ((x as f64).matmul(w as f64) + w[0] as f64) as f32
    }
} }"#;

pub(super) fn rows() -> Result<(), Failed> {
    let calls: Vec<_> = SIZES.into_iter().flat_map(calls).collect();
    check_calls(trace_right(SOURCE)?, &calls, CpuLevel::of_this_machine())
}

fn calls((n, s): (usize, usize)) -> Vec<Call> {
    let x = numbers(n, s);
    let w = Array2::from_shape_fn((8, 12), |(i, j)| ((i * 5 + j * 3) % 4) as f64 - 1.0);
    let (first, second) = (w.row(0), w.row(1));
    let biased = each(&x, |x| x.dot(&w) + first);
    let residual = each(&x, |x| {
        let y = (x.dot(&w) - second).mapv(|y| y.max(0.0));
        &x + &y.dot(&w.t())
    });
    let centred = each(&x, |x| {
        let y = x.dot(&w);
        &y * 12.0 - y.sum_axis(Axis(1)).insert_axis(Axis(1))
    });
    let integers = each(&x, |x| {
        let plus = |x: ArrayView2<'_, f64>| x.mapv(|x| x + 2.0);
        plus(x).dot(&plus(w.view())) + first
    });
    let squared = each(&biased, |y| y.dot(&y.t()));
    let summed = biased.sum_axis(Axis(1));
    let heads = biased.clone().into_shape_with_order((n, s, 3, 4));
    let heads = heads.expect("there are as many elements");
    let heads = heads.permuted_axes([0, 2, 1, 3]);
    let inputs = || vec![host(&x), single(w.iter().copied(), &[8, 12])];
    let mut calls = vec![
        call("biased", inputs(), host(&biased), 0.0),
        call("residual", inputs(), host(&residual), 0.0),
        call("centred", inputs(), host(&centred), 0.0),
        call(
            "summed",
            inputs(),
            single(summed.iter().copied(), &[n, 12]),
            0.0,
        ),
        call(
            "heads",
            inputs(),
            single(heads.iter().copied(), &[n, 3, s, 4]),
            0.0,
        ),
        call("squared", inputs(), host(&squared), 0.0),
        call("integers", inputs(), host(&integers), 0.0),
        call("wide", inputs(), host(&biased), 0.0),
    ];
    if s == 17 {
        calls.push(call("texts", inputs(), host(&biased), 0.0));
    }
    if n < 20 {
        let all = biased.insert_axis(Axis(2));
        let all = all
            .broadcast((n, s, n, 12))
            .expect("an axis of one is repeated");
        calls.push(call(
            "three",
            inputs(),
            single(all.iter().copied(), &[n, s, n, 12]),
            0.0,
        ));
    }
    calls
}

fn host(x: &Array3<f64>) -> HostTensor {
    let (n, rows, columns) = x.dim();
    single(x.iter().copied(), &[n, rows, columns])
}
