//! The cross-entropy of three layers on 64 rows: the derivative that is computed, and one that is written by hand.

use super::{InPython, Work, inputs, listed, ours, upload};
use anyhow::Result;
use iree_dsl::{DeviceArray, prelude::*};
use ndarray::{ArrayD, Ix1, Ix2};

#[program]
mod mlp {
    pub struct Mlp;

    type Rows = Tensor<f32, 64, 784>;
    type Classes = Tensor<f32, 64, 10>;
    type First = Tensor<f32, 784, 512>;
    type Second = Tensor<f32, 512, 512>;
    type Third = Tensor<f32, 512, 10>;
    type Offset = Tensor<f32, 512>;
    type Last = Tensor<f32, 10>;

    impl Mlp {
        pub fn computed(
            &self,
            x: Rows,
            y: Classes,
            w1: First,
            b1: Offset,
            w2: Second,
            b2: Offset,
            w3: Third,
            b3: Last,
        ) -> (First, Offset, Second, Offset, Third, Last) {
            let loss = |w1: First, b1: Offset, w2: Second, b2: Offset, w3: Third, b3: Last| {
                let h = (x.dot(w1) + b1).relu();
                let h = (h.dot(w2) + b2).relu();
                -((h.dot(w3) + b3).log_softmax(-1) * y).sum_axis(1).mean()
            };
            grad::<0, 1, 2, 3, 4, 5>(loss)(w1, b1, w2, b2, w3, b3)
        }

        pub fn written(
            &self,
            x: Rows,
            y: Classes,
            w1: First,
            b1: Offset,
            w2: Second,
            b2: Offset,
            w3: Third,
            b3: Last,
        ) -> (First, Offset, Second, Offset, Third, Last) {
            let h1 = (x.dot(w1) + b1).relu();
            let h2 = (h1.dot(w2) + b2).relu();
            let likely = (h2.dot(w3) + b3).softmax(-1);
            let d3 = (likely * y.sum_axis(1).insert_axis(1) - y) / 64.0;
            let d2 = select(h2 > 0.0, d3.dot(w3.t()), 0.0);
            let d1 = select(h1 > 0.0, d2.dot(w2.t()), 0.0);
            let (g1, g2, g3) = (x.t().dot(d1), h1.t().dot(d2), h2.t().dot(d3));
            (g1, d1.sum_axis(0), g2, d2.sum_axis(0), g3, d3.sum_axis(0))
        }
    }
}

pub(super) const COMPUTED: Work = Work {
    name: "MLP, 64×784-512-512-10",
    ours: |device, inputs| {
        let program = mlp::Mlp::load(device)?;
        let Given { x, y, w, b } = given(device, inputs)?;
        let ([w1, w2, w3], [b1, b2, b3]) = (w, b);
        Ok(ours(
            move || listed!(a, b, c, d, e, f: program.computed(&x, &y, &w1, &b1, &w2, &b2, &w3, &b3)),
        ))
    },
    ..WRITTEN
};

pub(super) const WRITTEN: Work = Work {
    name: "the same MLP, written by hand",
    inputs: || {
        let rows: [&[usize]; 2] = [&[64, 784], &[64, 10]];
        let weights: [&[usize]; 6] = [&[784, 512], &[512], &[512, 512], &[512], &[512, 10], &[10]];
        inputs(&[rows.as_slice(), weights.as_slice()].concat())
    },
    ours: |device, inputs| {
        let program = mlp::Mlp::load(device)?;
        let Given { x, y, w, b } = given(device, inputs)?;
        let ([w1, w2, w3], [b1, b2, b3]) = (w, b);
        Ok(ours(
            move || listed!(a, b, c, d, e, f: program.written(&x, &y, &w1, &b1, &w2, &b2, &w3, &b3)),
        ))
    },
    python: InPython::of("mlp gradient"),
    candle: None,
    ndarray: None,
    tolerance: 1e-4,
};

/// The inputs on the device.
struct Given {
    x: DeviceArray<f32, Ix2>,
    y: DeviceArray<f32, Ix2>,
    w: [DeviceArray<f32, Ix2>; 3],
    b: [DeviceArray<f32, Ix1>; 3],
}

fn given(device: &Device, inputs: &[ArrayD<f32>]) -> Result<Given> {
    let matrix = |index: usize| upload::<Ix2>(device, &inputs[index]);
    let vector = |index: usize| upload::<Ix1>(device, &inputs[index]);
    Ok(Given {
        x: matrix(0)?,
        y: matrix(1)?,
        w: [matrix(2)?, matrix(4)?, matrix(6)?],
        b: [vector(3)?, vector(5)?, vector(7)?],
    })
}
