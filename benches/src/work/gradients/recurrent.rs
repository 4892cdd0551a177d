//! A recurrent net of 100 steps, of 32 sequences and of one.

use super::{InPython, Work, inputs, listed, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{Ix1, Ix2, Ix3};

/// A program for a number of sequences, and what is done with it.
macro_rules! recurrent {
    ($module:ident $program:ident $sequences:literal: $work:ident $name:literal) => {
        #[program]
        mod $module {
            pub struct $program;

            type Inputs = Tensor<f32, 100, $sequences, 64>;
            type Inside = Tensor<f32, 64, 128>;
            type Across = Tensor<f32, 128, 128>;
            type Offset = Tensor<f32, 128>;
            type State = Tensor<f32, $sequences, 128>;

            impl $program {
                pub fn run(
                    &self,
                    xs: Inputs,
                    inside: Inside,
                    across: Across,
                    offset: Offset,
                ) -> (Inside, Across, Offset) {
                    let loss = |inside: Inside, across: Across, offset: Offset| {
                        let step = |h: State, x: Tensor<f32, $sequences, 64>| {
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

        pub(super) const $work: Work = Work {
            name: $name,
            inputs: || {
                let shapes: [&[usize]; 4] =
                    [&[100, $sequences, 64], &[64, 128], &[128, 128], &[128]];
                inputs(&shapes)
            },
            ours: |device, inputs| {
                let program = $module::$program::load(device)?;
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
    };
}

recurrent! { recurrent Recurrent 32: SEVERAL "recurrent net, 100 steps of 32×128" }
recurrent! { recurrent_of_one RecurrentOfOne 1: ONE "recurrent net, 100 steps of 1×128" }
