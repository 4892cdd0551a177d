//! What layers compute, in plain Rust and double precision, and how it is compared.

// Each test uses a part of it.
#![allow(dead_code)]

use iree_dsl::prelude::*;
use ndarray::{Array, Array1, Array2, ArrayView2, Axis, Dimension, IxDyn, concatenate, s};
use std::f64::consts::PI;

pub(crate) const DEVICES: [&str; 2] = ["local-sync", "local-task"];

/// An element type that programs are tested with.
pub(crate) trait Number: iree_dsl::Element + Copy {
    /// How far numbers of about 1 may be off.
    const TOLERANCE: f64;

    fn of(number: f64) -> Self;

    fn wide(self) -> f64;
}

macro_rules! number {
    ($($ty:ty: $tolerance:expr, $of:expr, $wide:expr;)+) => {
        $(impl Number for $ty {
            const TOLERANCE: f64 = $tolerance;

            fn of(number: f64) -> Self {
                $of(number)
            }

            fn wide(self) -> f64 {
                $wide(self)
            }
        })+
    };
}

number! {
    f32: 5e-6, |number| number as Self, f64::from;
    f64: 1e-13, |number| number, |number| number;
    bf16: 4e-2, Self::from_f64, Self::to_f64;
}

/// Numbers of a type between -1 and 1, always the same, and the same in double precision.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> f64 {
        // The constants are Knuth's, <https://en.wikipedia.org/wiki/Linear_congruential_generator>.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    }

    pub(crate) fn array<T: Number, D: Dimension>(
        &mut self,
        shape: impl ndarray::ShapeBuilder<Dim = D>,
    ) -> Array<T, D> {
        Array::from_shape_simple_fn(shape, || T::of(self.next()))
    }

    pub(crate) fn mask<D: Dimension>(
        &mut self,
        shape: impl ndarray::ShapeBuilder<Dim = D>,
    ) -> Array<bool, D> {
        Array::from_shape_simple_fn(shape, || self.next() > 0.0)
    }
}

/// In double precision.
pub(crate) fn wide<T: Number, D: Dimension>(array: &Array<T, D>) -> Array<f64, D> {
    array.mapv(T::wide)
}

/// Compares what a program computed.
#[track_caller]
pub(crate) fn assert_near<T: Number, D: Dimension>(
    found: iree_dsl::Result<DeviceArray<T, D>>,
    expected: &Array<f64, D>,
) {
    let found = wide(&found.unwrap().to_array().unwrap());
    assert_eq!(found.shape(), expected.shape());
    for (found, expected) in found.iter().zip(expected) {
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error < T::TOLERANCE, "{found} is not {expected}");
    }
}

/// A function of rows, for each row of an array of any number of axes.
pub(crate) fn by_rows<D: Dimension>(
    x: &Array<f64, D>,
    function: impl Fn(&Array1<f64>) -> Array1<f64>,
) -> Array<f64, IxDyn> {
    let rows = x.rows().into_iter();
    let rows: Vec<_> = rows.map(|row| function(&row.to_owned())).collect();
    let mut shape = x.shape().to_vec();
    *shape.last_mut().expect("an axis") = rows.first().map_or(0, Array1::len);
    let numbers = rows.into_iter().flatten().collect();
    Array::from_shape_vec(shape, numbers).expect("rows of one length")
}

/// The weights and the bias of a linear layer, with a row of weights for each output.
pub(crate) type Dense = (Array2<f64>, Array1<f64>);

pub(crate) fn linear(layer: &Dense, x: &Array1<f64>) -> Array1<f64> {
    layer.0.dot(x) + &layer.1
}

pub(crate) fn layer_norm(weight: &Array1<f64>, bias: &Array1<f64>, x: &Array1<f64>) -> Array1<f64> {
    normalized(x, 1e-5) * weight + bias
}

pub(crate) fn normalized(x: &Array1<f64>, eps: f64) -> Array1<f64> {
    let centered = x - x.sum() / x.len() as f64;
    let variance = centered.dot(&centered) / x.len() as f64;
    centered / (variance + eps).sqrt()
}

pub(crate) fn gelu(x: f64) -> f64 {
    x * (1.0 + erf(x / 2.0_f64.sqrt())) / 2.0
}

pub(crate) fn gelu_tanh(x: f64) -> f64 {
    let inner = (2.0 / PI).sqrt() * (x + 0.044715 * x * x * x);
    0.5 * x * (1.0 + inner.tanh())
}

/// The series of <https://dlmf.nist.gov/7.6.E2>, whose terms have one sign.
fn erf(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    for n in 1..300 {
        term *= 2.0 * x * x / f64::from(2 * n + 1);
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// What queries take from the values whose keys they see; the mean of all, where they see none.
pub(crate) fn attend(
    query: ArrayView2<'_, f64>,
    key: ArrayView2<'_, f64>,
    value: ArrayView2<'_, f64>,
    sees: impl Fn(usize, usize) -> bool,
) -> Array2<f64> {
    let scale = (query.ncols() as f64).sqrt();
    let mut joined = Array2::zeros((query.nrows(), value.ncols()));
    for (at, mut row) in joined.outer_iter_mut().enumerate() {
        let mut total = 0.0;
        for other in (0..key.nrows()).filter(|other| sees(at, *other)) {
            let share = (query.row(at).dot(&key.row(other)) / scale).exp();
            row.scaled_add(share, &value.row(other));
            total += share;
        }
        match total > 0.0 {
            true => row /= total,
            false => row.assign(&(value.sum_axis(Axis(0)) / value.nrows() as f64)),
        }
    }
    joined
}

/// `nn.MultiheadAttention`: its input projections, and what joins the heads.
pub(crate) struct Multihead {
    pub(crate) heads: usize,
    pub(crate) input: Dense,
    pub(crate) output: Dense,
}

impl Multihead {
    /// For one text.
    pub(crate) fn apply(
        &self,
        [query, key, value]: [&Array2<f64>; 3],
        sees: impl Fn(usize, usize) -> bool + Copy,
    ) -> Array2<f64> {
        let width = query.ncols();
        let project = |x: &Array2<f64>, part: usize| {
            let rows = part * width..(part + 1) * width;
            let weight = self.input.0.slice(s![rows.clone(), ..]);
            x.dot(&weight.t()) + self.input.1.slice(s![rows])
        };
        let [query, key, value] = [project(query, 0), project(key, 1), project(value, 2)];
        let size = width / self.heads;
        let heads = (0..self.heads).map(|head| {
            let part = s![.., head * size..(head + 1) * size];
            attend(query.slice(part), key.slice(part), value.slice(part), sees)
        });
        let heads: Vec<Array2<f64>> = heads.collect();
        let views: Vec<_> = heads.iter().map(|head| head.view()).collect();
        let joined: Array2<f64> = concatenate(Axis(1), &views).expect("heads of one height");
        joined.dot(&self.output.0.t()) + &self.output.1
    }
}
