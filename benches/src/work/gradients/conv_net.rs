//! Two convolutions with pooling, and a layer, on 32 images.

use super::{InPython, Work, inputs, listed, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{Ix2, Ix4};

#[program]
mod conv_net {
    pub struct ConvNet;

    type Images = Tensor<f32, 32, 28, 28, 1>;
    type Classes = Tensor<f32, 32, 10>;
    type First = Tensor<f32, 3, 3, 1, 16>;
    type Second = Tensor<f32, 3, 3, 16, 32>;
    type Last = Tensor<f32, 1568, 10>;

    impl ConvNet {
        pub fn run(
            &self,
            x: Images,
            y: Classes,
            first: First,
            second: Second,
            last: Last,
        ) -> (First, Second, Last) {
            let loss = |first: First, second: Second, last: Last| {
                let h = max_pool!(conv!(x, first, padding = "same").relu(), window = [2, 2]);
                let h = max_pool!(conv!(h, second, padding = "same").relu(), window = [2, 2]);
                let scores = h.reshape([32, 1568]).dot(last) / 100.0;
                -(scores.log_softmax(-1) * y).sum_axis(1).mean()
            };
            grad::<0, 1, 2>(loss)(first, second, last)
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "convolutional net, 32×28×28",
    inputs: || {
        inputs(&[
            &[32, 28, 28, 1],
            &[32, 10],
            &[3, 3, 1, 16],
            &[3, 3, 16, 32],
            &[1568, 10],
        ])
    },
    ours: |device, inputs| {
        let program = conv_net::ConvNet::load(device)?;
        let x = upload::<Ix4>(device, &inputs[0])?;
        let y = upload::<Ix2>(device, &inputs[1])?;
        let first = upload::<Ix4>(device, &inputs[2])?;
        let second = upload::<Ix4>(device, &inputs[3])?;
        let last = upload::<Ix2>(device, &inputs[4])?;
        Ok(ours(
            move || listed!(a, b, c: program.run(&x, &y, &first, &second, &last)),
        ))
    },
    python: InPython::of("conv net gradient"),
    candle: None,
    ndarray: None,
    tolerance: 1e-4,
};
