//! Kernels over tensors of any rank: a type parameter stands for the whole tensor.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array};

#[program]
mod optimiser {
    pub struct Layer {
        pub w: Tensor<f32, 3, 2>,
        pub b: Tensor<f32, 2>,
        pub scale: Tensor<f32>,
    }

    pub struct Optimiser {
        #[global(init = Layer { w: ones(), b: zeros(), scale: full(2.0) })]
        layer: Layer,
        #[global(init = zeros())]
        momentum: Layer,
    }

    impl Optimiser {
        pub fn step(&mut self, gradient: Layer, rate: Tensor<f32>) -> Layer {
            let (layer, momentum, g) = (self.layer, self.momentum, gradient);
            let (w, mw) = stepped(layer.w, momentum.w, g.w, rate);
            let (b, mb) = stepped(layer.b, momentum.b, g.b, rate);
            let (scale, ms) = stepped(layer.scale, momentum.scale, g.scale, rate);
            self.layer = Layer { w, b, scale };
            self.momentum = Layer {
                w: mw,
                b: mb,
                scale: ms,
            };
            self.layer
        }

        pub fn norms<const N: usize>(
            &self,
            x: Tensor<f64, N, 3>,
            y: Tensor<f64, 2, 1, N>,
            z: Tensor<f64>,
        ) -> Tensor<f64> {
            norm(x) + norm(y) + norm(z)
        }

        pub fn clipped(
            &self,
            x: Tensor<f32, 3>,
            y: Tensor<f16, 2, 2>,
        ) -> (Tensor<f32, 3>, Tensor<f16, 2, 2>) {
            (clipped(x), clipped(y))
        }
    }

    /// Momentum, for a parameter of any rank.
    #[kernel]
    fn stepped<P>(parameter: P, momentum: P, gradient: P, rate: Tensor<f32>) -> (P, P) {
        let momentum: P = 0.5 * momentum + gradient;
        let nothing: P = zeros();
        (parameter - rate * momentum + nothing, momentum)
    }

    #[kernel]
    fn norm<P>(x: P) -> Tensor<f64> {
        let one: P = full(1.0);
        (x * x * one + zeros_like(x)).sum().sqrt()
    }

    #[kernel]
    fn clipped<P>(x: P) -> P {
        let least = select(x < -1.0, full(-1.0), x);
        least.minimum(ones())
    }
}

#[test]
fn a_step_is_written_once_for_parameters_of_every_rank() {
    for name in ["local-sync", "local-task"] {
        let device = Device::open(name).unwrap();
        let mut program = optimiser::Optimiser::load(&device).unwrap();
        let gradient = || optimiser::Layer {
            w: device.upload(&Array2::from_elem((3, 2), 2.0_f32)).unwrap(),
            b: device.upload(&array![1.0_f32, -4.0]).unwrap(),
            scale: device.upload(&ndarray::arr0(0.5_f32)).unwrap(),
        };
        program.step(gradient(), 0.25).unwrap();
        let layer = program.step(gradient(), 0.25).unwrap();
        let expected = Array2::from_elem((3, 2), 1.0 - 0.25 * 2.0 - 0.25 * 3.0);
        assert_eq!(layer.w.to_array().unwrap(), expected);
        assert_eq!(layer.b.to_array().unwrap(), array![-0.625, 2.5]);
        assert_eq!(layer.scale.to_scalar().unwrap(), 2.0 - 0.125 - 0.1875);
    }
}

#[test]
fn reductions_of_any_rank_are_scalars() {
    for name in ["local-sync", "local-task"] {
        let device = Device::open(name).unwrap();
        let program = optimiser::Optimiser::load(&device).unwrap();
        for n in [1, 4] {
            let x = Array2::<f64>::from_elem((n, 3), 2.0);
            let y = ndarray::Array3::<f64>::from_elem((2, 1, n), 0.5);
            let found = program.norms(&x, &y, -7.0).unwrap().to_scalar().unwrap();
            let expected = (12.0 * n as f64).sqrt() + (0.5 * n as f64).sqrt() + 7.0;
            assert!((found - expected).abs() < 1e-12);
        }
        let y = array![[0.5, 3.0], [-9.0, 1.0]].mapv(f16::from_f32);
        let (x, y) = program
            .clipped(&Array1::from(vec![-2.0, 0.25, 2.0]), &y)
            .unwrap();
        assert_eq!(x.to_array().unwrap().to_vec(), [-1.0, 0.25, 1.0]);
        let expected = array![[0.5, 1.0], [-1.0, 1.0]].mapv(f16::from_f32);
        assert_eq!(y.to_array().unwrap(), expected);
    }
}
