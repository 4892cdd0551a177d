//! Convolutions and their slopes.

use crate::oracle::on_devices;
use iree_dsl::prelude::*;
use ndarray::{Array1, Array3, Array4};

#[program]
mod convolutions {
    #[kernel]
    use nn::convolution::{Conv1d, Conv2d, conv1d, conv2d};

    pub struct Convolutions;

    impl Convolutions {
        pub fn picture<const N: usize>(
            &self,
            layer: Conv2d<4, 6, 3, 2>,
            x: Tensor<f32, N, 4, 7, 6>,
        ) -> Tensor<f32, N, 6, 4, 3> {
            conv2d(layer, x, 2, 1, 1)
        }

        pub fn slopes<const N: usize>(
            &self,
            layer: Conv2d<4, 6, 3, 2>,
            x: Tensor<f32, N, 4, 7, 6>,
        ) -> (Conv2d<4, 6, 3, 2>, Tensor<f32, N, 4, 7, 6>) {
            grad::<0, 1>(|layer, x| conv2d(layer, x, 2, 1, 1).sin().sum())(layer, x)
        }

        pub fn signal(
            &self,
            layer: Conv1d<3, 4, 3>,
            x: Tensor<f32, 2, 3, 8>,
        ) -> Tensor<f32, 2, 4, 8> {
            conv1d(layer, x, 1, 2, 2)
        }
    }
}

#[test]
fn convolutions_and_their_slopes_are_right() {
    on_devices(|device, oracle| {
        let program = convolutions::Convolutions::load(device).unwrap();
        let (x, w): (Array4<f32>, Array4<f32>) = (oracle.array("conv/x"), oracle.array("conv/w"));
        let b: Array1<f32> = oracle.array("conv/b");
        let layer = nn::convolution::Conv2d::upload(device, &w, &b).unwrap();
        oracle.check("conv/picture", &program.picture(&layer, &x).unwrap());
        let (slopes, dx) = program.slopes(&layer, &x).unwrap();
        oracle.check("conv/dw", &slopes.weight);
        oracle.check("conv/db", &slopes.bias);
        oracle.check("conv/dx", &dx);

        let (x, w): (Array3<f32>, Array3<f32>) =
            (oracle.array("conv/signal_x"), oracle.array("conv/signal_w"));
        let b: Array1<f32> = oracle.array("conv/signal_b");
        let layer = nn::convolution::Conv1d::upload(device, &w, &b).unwrap();
        oracle.check("conv/signal", &program.signal(&layer, &x).unwrap());
    });
}
