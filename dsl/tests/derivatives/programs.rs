//! Programs that learn.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix0, Ix1, Ix2};

#[kernel]
pub mod layers {
    pub struct Dense<const I: usize, const O: usize> {
        pub w: Tensor<f64, I, O>,
        pub b: Tensor<f64, O>,
    }

    pub fn dense<const N: usize, const I: usize, const O: usize>(
        layer: Dense<I, O>,
        x: Tensor<f64, N, I>,
    ) -> Tensor<f64, N, O> {
        x.dot(layer.w) + layer.b
    }

    /// A step down the slope of any loss.
    pub fn stepped<P>(loss: impl Fn(P) -> Tensor<f64>, parameters: P) -> P {
        zip_tree(parameters, grad(loss)(parameters), |p, g| p - g * 0.1)
    }
}

#[program]
mod programs {
    #[kernel]
    use super::layers::{Dense, dense, stepped};

    pub struct Network {
        pub hidden: [Dense<3, 3>; 2],
        pub last: Dense<3, 2>,
    }

    pub struct Programs {
        #[global]
        network: Network,
        #[global]
        calls: Tensor<i32>,
    }

    #[kernel]
    fn scores<const N: usize>(network: Network, x: Tensor<f64, N, 3>) -> Tensor<f64, N, 2> {
        let mut y = x;
        for layer in network.hidden {
            y = dense(layer, y).relu() + x;
        }
        dense(network.last, y)
    }

    #[kernel]
    fn cross_entropy<const N: usize>(
        network: Network,
        x: Tensor<f64, N, 3>,
        labels: Tensor<i32, N>,
    ) -> Tensor<f64> {
        let scores = scores(network, x).log_softmax(-1);
        -(scores * labels.one_hot::<f64, 2>()).sum_axis(-1).mean()
    }

    /// The weight of one step of learning, which is learnt itself.
    #[kernel]
    fn after_steps<const N: usize>(
        rate: Tensor<f64>,
        w: Tensor<f64, 3, 3>,
        xs: Tensor<f64, N, 3>,
    ) -> Tensor<f64> {
        let loss = |w: Tensor<f64, 3, 3>, x: Tensor<f64, 3>| (w.dot(x).tanh() - x).powi(2).sum();
        let (w, losses) = scan(w, xs, |w, x| {
            let (loss, g) = value_and_grad(loss)(w, x);
            (w - g * rate, loss)
        });
        losses.sum() + w.powi(2).sum()
    }

    impl Programs {
        pub fn set(&mut self, network: Network) {
            self.network = network;
        }

        pub fn train<const N: usize>(
            &mut self,
            x: Tensor<f64, N, 3>,
            labels: Tensor<i32, N>,
            rounds: Tensor<i32>,
        ) -> Tensor<f64> {
            let mut loss = zeros::<f64>();
            for _ in range(0, rounds) {
                let (now, g) = value_and_grad(cross_entropy)(self.network, x, labels);
                self.network = zip_tree(self.network, g, |p, g| p - g * 0.5);
                loss = now;
            }
            loss
        }

        pub fn network(&self) -> Network {
            self.network
        }

        pub fn stepped(&self, x: Tensor<f64, 7>) -> Tensor<f64, 7> {
            stepped(|x| x.sin().sum(), x)
        }

        pub fn learnt<const N: usize>(
            &self,
            rate: Tensor<f64>,
            w: Tensor<f64, 3, 3>,
            xs: Tensor<f64, N, 3>,
        ) -> (Tensor<f64>, Tensor<f64, 3, 3>, Tensor<f64, N, 3>) {
            grad::<0, 1, 2>(after_steps)(rate, w, xs)
        }

        /// What a function does happens once.
        pub fn counted(&mut self, x: Tensor<f64, 7>) -> Tensor<f64, 7> {
            grad(|x| {
                self.calls += 1;
                assert!(x.is_finite().all(), "x is finite");
                fori(3, x, |_, y| y.sin()).sum()
            })(x)
        }

        pub fn calls(&self) -> Tensor<i32> {
            self.calls
        }

        /// Of numbers with less precision.
        pub fn narrow<const N: usize>(&self, x: Tensor<bf16, N>) -> Tensor<bf16, N> {
            grad(|x: Tensor<bf16, N>| (x.cast::<f32>().sin() * 2.0).sum())(x)
        }

        pub fn of_a_number(&self) -> Tensor<f64> {
            let slope = grad(|x: Tensor<f64>| x * x * x);
            slope(2.0)
        }
    }
}

use layers::Dense;
use programs::{Network, Programs};

#[test]
fn networks_learn() {
    let device = Device::open("local-sync").unwrap();
    let mut program = Programs::load(&device).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let matrix = |name: &str| device.upload(&check.input::<f64, Ix2>(name)).unwrap();
    let row = |name: &str| device.upload(&check.input::<f64, Ix1>(name)).unwrap();
    let hidden = ["0", "1"].map(|layer| Dense {
        w: matrix(&format!("network.{layer}.w")),
        b: row(&format!("network.{layer}.b")),
    });
    let last = Dense {
        w: matrix("w"),
        b: row("b"),
    };
    let x = check.input::<f64, Ix2>("x");
    let labels = check.input::<i32, Ix1>("labels");
    program.set(&Network { hidden, last }).unwrap();
    let loss = program.train(&x, &labels, 5);
    check.conditioned("trained.loss", 16.0, loss);
    let network = program.network().unwrap();
    check.conditioned("trained.w", 16.0, Ok(network.last.w.clone()));
    check.conditioned("trained.1.w", 16.0, Ok(network.hidden[1].w.clone()));
    check.finish();
}

#[test]
fn learning_is_differentiated() {
    let program = Programs::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let (w, x) = (
        check.input::<f64, Ix2>("square"),
        check.input::<f64, Ix2>("x"),
    );
    let scalar = check.input::<f64, Ix0>("scalar").into_scalar();
    let (rate, slope, xs) = program.learnt(scalar, &w, &x).unwrap();
    check.conditioned("learnt.rate", 32.0, Ok(rate));
    check.conditioned("learnt.w", 32.0, Ok(slope));
    check.conditioned("learnt.xs", 32.0, Ok(xs));
    check.finish();
}

#[test]
fn what_happens_once() {
    let mut program = Programs::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let long = check.input::<f64, Ix1>("long");
    check.result("thrice", program.counted(&long));
    assert_eq!(program.calls().unwrap().to_scalar().unwrap(), 1);
    check.result("stepped", program.stepped(&long));
    let narrow = program.narrow([0.0, 1.0].map(bf16::from_f32)).unwrap();
    let narrow = narrow.to_array().unwrap().mapv(f32::from);
    assert!((narrow[1] - 2.0 * 1.0_f32.cos()).abs() < 1e-2 && narrow[0] == 2.0);
    assert_eq!(program.of_a_number().unwrap().to_scalar().unwrap(), 12.0);
    check.finish();
}
