//! Three steps of each optimiser, schedules, and what is done with gradients.

use crate::oracle::{Oracle, on_devices};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

#[program]
mod optimizers {
    #[kernel]
    use nn::gradients::{accumulate, clip_by_global_norm, ema, global_norm};
    #[kernel]
    use nn::optimizers::{Adam, Lion, Momentum, adam, adamw, lion, momentum, sgd};
    #[kernel]
    use nn::schedules::{cosine_decay, linear, one_cycle_with, warmup_cosine_decay};

    const RATE: f32 = 0.05;
    const DECAY: f64 = 0.1;

    pub struct Layer {
        pub w: Tensor<f32, 3, 2>,
        pub b: Tensor<f32, 2>,
    }

    /// Leaves need not be of one type.
    pub struct Mixed {
        pub w: Tensor<f64, 3>,
        pub b: Tensor<bf16>,
    }

    /// Six learners, which begin alike.
    pub struct Optimizers {
        #[global]
        sgd: Layer,
        #[global]
        momentum: (Layer, Momentum<Layer>),
        #[global]
        nesterov: (Layer, Momentum<Layer>),
        #[global]
        adam: (Layer, Adam<Layer>),
        #[global]
        adamw: (Layer, Adam<Layer>),
        #[global]
        lion: (Layer, Lion<Layer>),
        #[global]
        mixed: Adam<Mixed>,
    }

    impl Optimizers {
        pub fn start(&mut self, layer: Layer) {
            self.sgd = layer;
            self.momentum = (layer, zeros_like(self.momentum.1));
            self.nesterov = (layer, zeros_like(self.nesterov.1));
            self.adam = (layer, zeros_like(self.adam.1));
            self.adamw = (layer, zeros_like(self.adamw.1));
            self.lion = (layer, zeros_like(self.lion.1));
        }

        pub fn step(&mut self, g: Layer) -> [Layer; 6] {
            self.sgd = sgd(self.sgd, g, RATE);
            let (layer, state) = self.momentum;
            self.momentum = momentum(state, layer, g, RATE, 0.9, false);
            let (layer, state) = self.nesterov;
            self.nesterov = momentum(state, layer, g, RATE, 0.9, true);
            let (layer, state) = self.adam;
            self.adam = adam(state, layer, g, RATE);
            let (layer, state) = self.adamw;
            self.adamw = adamw(state, layer, g, RATE, DECAY);
            let (layer, state) = self.lion;
            self.lion = lion(state, layer, g, RATE, DECAY);
            [
                self.sgd,
                self.momentum.0,
                self.nesterov.0,
                self.adam.0,
                self.adamw.0,
                self.lion.0,
            ]
        }

        pub fn mixed(&self, p: Mixed, g: Mixed) -> (Tensor<f32>, Mixed) {
            let (p, _) = adamw(self.mixed, p, clip_by_global_norm(g, 1.0), RATE, DECAY);
            (global_norm(g), p)
        }

        pub fn clip(&self, g: Layer, limit: Tensor<f32>) -> (Tensor<f32>, Layer) {
            (global_norm(g), clip_by_global_norm(g, limit))
        }

        pub fn average(&self, layer: Layer, g: Layer) -> Layer {
            ema(layer, g, 0.99)
        }

        /// Batch by batch, and all at once.
        pub fn accumulated<const N: usize>(
            &self,
            layer: Layer,
            x: Tensor<f32, N, 4, 3>,
            y: Tensor<f32, N, 4>,
        ) -> ((Tensor<f32>, Layer), (Tensor<f32>, Layer)) {
            let loss = |layer, x, y| {
                let error = (x.matmul(layer.w) + layer.b).sum_axis(-1) - y;
                (error * error).mean()
            };
            let batch = |layer, i| loss(layer, x[i], y[i]);
            (
                accumulate(batch, layer, N as i32),
                value_and_grad(|layer| loss(layer, x, y))(layer),
            )
        }

        pub fn rates(&self, step: Tensor<i32>) -> Tensor<f32, 4> {
            stack(
                [
                    linear(step, 0.1, 0.02, 8),
                    cosine_decay(step, 0.1, 10, 0.1),
                    warmup_cosine_decay(step, 0.01, 0.1, 4, 12, 0.02),
                    one_cycle_with(step, 0.1, 10, 0.3, 25.0, 1e4),
                ],
                0,
            )
        }
    }
}

use optimizers::{Layer, Optimizers};

fn layer(device: &Device, oracle: &Oracle, names: [&str; 2]) -> Layer {
    let w: Array2<f32> = oracle.array(&format!("optimizer/{}", names[0]));
    let b: Array1<f32> = oracle.array(&format!("optimizer/{}", names[1]));
    Layer::upload(device, &w, &b).unwrap()
}

#[test]
fn steps_are_those_of_the_papers() {
    on_devices(|device, oracle| {
        let mut program = Optimizers::load(device).unwrap();
        for _ in 0..2 {
            program.start(layer(device, oracle, ["w", "b"])).unwrap();
            for names in [["gw0", "gb0"], ["gw1", "gb1"]] {
                program.step(layer(device, oracle, names)).unwrap();
            }
            let layers = program.step(layer(device, oracle, ["gw2", "gb2"])).unwrap();
            let names = ["sgd", "momentum", "nesterov", "adam", "adamw", "lion"];
            for (name, layer) in names.into_iter().zip(layers) {
                oracle.check(&format!("optimizer/{name}_w"), &layer.w);
                oracle.check(&format!("optimizer/{name}_b"), &layer.b);
            }
        }
    });
}

#[test]
fn gradients_are_clipped_and_averaged() {
    on_devices(|device, oracle| {
        let program = Optimizers::load(device).unwrap();
        let g = || layer(device, oracle, ["gw0", "gb0"]);
        let (norm, clipped) = program.clip(g(), 0.5).unwrap();
        oracle.check("gradient/norm", &norm);
        oracle.check("gradient/clipped_w", &clipped.w);
        oracle.check("gradient/clipped_b", &clipped.b);
        let (_, whole) = program.clip(g(), 100.0).unwrap();
        oracle.check("optimizer/gw0", &whole.w);
        let average = program.average(layer(device, oracle, ["w", "b"]), g());
        oracle.check("gradient/ema_w", &average.unwrap().w);
    });
}

#[test]
fn leaves_may_have_types_of_their_own() {
    on_devices(|device, _| {
        let program = Optimizers::load(device).unwrap();
        let upload = |w, b| optimizers::Mixed::upload(device, w, bf16::from_f32(b)).unwrap();
        let (p, g) = (upload([1.0, -2.0, 3.0], 4.0), upload([2.0, -1.0, 0.0], 2.0));
        let (norm, p) = program.mixed(p, g).unwrap();
        assert_eq!(norm.to_scalar().unwrap(), 3.0);
        // The first step of Adam is as long as the rate, wherever there is a slope.
        let rate = f64::from(0.05_f32);
        let right = [(1.0, 1.0), (-2.0, -1.0), (3.0, 0.0)].map(|(p, g)| p - rate * (g + 0.1 * p));
        for (found, right) in p.w.to_array().unwrap().iter().zip(right) {
            assert!((found - right).abs() < 1e-8, "{found} for {right}");
        }
        let error = p.b.to_scalar().unwrap().to_f32() - 3.93;
        assert!(error.abs() < 0.02, "{error}");
    });
}

#[test]
fn batches_one_after_the_other_are_all_at_once() {
    on_devices(|device, oracle| {
        let program = Optimizers::load(device).unwrap();
        for batches in [1, 3, 8] {
            let x = ndarray::Array3::from_shape_fn((batches, 4, 3), |(i, j, k)| {
                (i * 12 + j * 3 + k) as f32 * 0.7 % 1.0
            });
            let y = Array2::from_shape_fn((batches, 4), |(i, j)| (i * 4 + j) as f32 * 0.3 % 1.0);
            let layer = layer(device, oracle, ["w", "b"]);
            let ((loss, slope), (right, right_slope)) = program.accumulated(layer, &x, &y).unwrap();
            let near = |found: f32, right: f32| assert!((found - right).abs() < 1e-5);
            near(loss.to_scalar().unwrap(), right.to_scalar().unwrap());
            let (slope, right) = (
                slope.w.to_array().unwrap(),
                right_slope.w.to_array().unwrap(),
            );
            slope.iter().zip(&right).for_each(|(a, b)| near(*a, *b));
        }
    });
}

#[test]
fn rates_follow_their_curves() {
    on_devices(|device, oracle| {
        let program = Optimizers::load(device).unwrap();
        let names = ["linear", "cosine", "warmup", "cycle"].map(|name| format!("schedule/{name}"));
        let curves = names.map(|name| oracle.array::<f32, ndarray::Ix1>(&name));
        for step in 0..14 {
            let rates = program.rates(step).unwrap().to_array().unwrap();
            for (rate, curve) in rates.iter().zip(&curves) {
                let right = curve[step as usize];
                assert!((rate - right).abs() < 1e-8, "{step}: {rate} for {right}");
            }
        }
    });
}
