//! Attention with 12 heads.

use super::{InPython, Prepare, Work, in_candle, in_ndarray, numbers, ours, softmax, upload};
use iree_dsl::prelude::*;
use ndarray::{Array, Axis, Ix4, Zip};

const SHAPE: [usize; 4] = [8, 12, 512, 64];
const SCALE: f32 = 1.0 / 8.0;

#[program]
mod attention {
    type Heads = Tensor<f32, 8, 12, 512, 64>;

    pub struct Attention;

    impl Attention {
        pub fn run(&self, q: Heads, k: Heads, v: Heads) -> Heads {
            let scores = einsum!("bhqd,bhkd->bhqk", q, k) / 8.0;
            scores.softmax(-1).matmul(v)
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "attention, 8×12×512×64",
    inputs: || [1, 2, 3].map(|seed| numbers(&SHAPE, seed)).into(),
    ours: |device, inputs| {
        let program = attention::Attention::load(device)?;
        let q = upload::<Ix4>(device, &inputs[0])?;
        let (k, v) = (
            upload::<Ix4>(device, &inputs[1])?,
            upload::<Ix4>(device, &inputs[2])?,
        );
        Ok(ours(move || program.run(&q, &k, &v)))
    },
    python: InPython::of("attention"),
    candle: Some(CANDLE),
    ndarray: Some(NDARRAY),
    tolerance: 1e-4,
};

const CANDLE: Prepare = |inputs| {
    let [q, k, v] = in_candle::tensors(inputs)?;
    Ok(in_candle::ready(move || {
        let scores = (q.matmul(&k.t()?)? * f64::from(SCALE))?;
        candle_nn::ops::softmax_last_dim(&scores)?.matmul(&v)
    }))
};

const NDARRAY: Prepare = |inputs| {
    let heads = |index: usize| inputs[index].clone().into_shape_with_order((96, 512, 64));
    let (q, k, v) = (heads(0)?, heads(1)?, heads(2)?);
    Ok(in_ndarray(move || {
        let mut y = Array::zeros(q.raw_dim());
        let heads = Zip::from(y.axis_iter_mut(Axis(0)));
        let heads = heads.and(q.axis_iter(Axis(0))).and(k.axis_iter(Axis(0)));
        heads
            .and(v.axis_iter(Axis(0)))
            .par_for_each(|mut y, q, k, v| {
                let mut scores = q.dot(&k.t()) * SCALE;
                scores.axis_iter_mut(Axis(0)).for_each(softmax::of_row);
                y.assign(&scores.dot(&v));
            });
        y.into_shape_with_order(SHAPE).unwrap_or_default()
    }))
};
