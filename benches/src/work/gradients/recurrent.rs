//! A recurrent net of 100 steps.

use super::{InPython, Work, inputs, listed, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{Ix1, Ix2, Ix3};

#[program]
mod recurrent {
    pub struct Recurrent;

    type Inputs = Tensor<f32, 100, 32, 64>;
    type Inside = Tensor<f32, 64, 128>;
    type Across = Tensor<f32, 128, 128>;
    type Offset = Tensor<f32, 128>;

    impl Recurrent {
        pub fn run(
            &self,
            xs: Inputs,
            inside: Inside,
            across: Across,
            offset: Offset,
        ) -> (Inside, Across, Offset) {
            let loss = |inside: Inside, across: Across, offset: Offset| {
                let step = |h: Tensor<f32, 32, 128>, x: Tensor<f32, 32, 64>| {
                    let h = (x.dot(inside) / 8.0 + h.dot(across) / 12.0 + offset).tanh();
                    (h, h.mean())
                };
                let (last, means) = scan(zeros(), xs, step);
                (last * last).sum() + means.sum()
            };
            grad::<0, 1, 2>(loss)(inside, across, offset)
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "recurrent net, 100 steps of 32×128",
    inputs: || inputs(&[&[100, 32, 64], &[64, 128], &[128, 128], &[128]]),
    ours: |device, inputs| {
        let program = recurrent::Recurrent::load(device)?;
        let xs = upload::<Ix3>(device, &inputs[0])?;
        let inside = upload::<Ix2>(device, &inputs[1])?;
        let across = upload::<Ix2>(device, &inputs[2])?;
        let offset = upload::<Ix1>(device, &inputs[3])?;
        Ok(ours(
            move || listed!(a, b, c: program.run(&xs, &inside, &across, &offset)),
        ))
    },
    python: InPython::of("recurrent gradient"),
    candle: None,
    ndarray: None,
    tolerance: 1e-4,
};
