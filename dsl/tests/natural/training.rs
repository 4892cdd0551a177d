//! Training with gradients that are written by hand.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

/// A perceptron with a hidden layer, by Adam.
#[program]
mod perceptron {
    const I: usize = 3;
    const H: usize = 8;

    pub struct Params {
        pub w1: Tensor<f32, I, H>,
        pub b1: Tensor<f32, 1, H>,
        pub w2: Tensor<f32, H, 1>,
        pub b2: Tensor<f32, 1, 1>,
    }

    pub struct Perceptron {
        #[global]
        params: Params,
        #[global]
        m: Params,
        #[global]
        v: Params,
        #[global]
        steps: Tensor<i32>,
    }

    impl Perceptron {
        pub fn start(&mut self, params: Params) {
            self.params = params;
            self.m = zeros_like(params);
            self.v = zeros_like(params);
            self.steps = 0;
        }

        pub fn predict<const B: usize>(&self, x: Tensor<f32, B, I>) -> Tensor<f32, B, 1> {
            let p = self.params;
            (x.dot(p.w1) + p.b1).tanh().dot(p.w2) + p.b2
        }

        /// A step; the loss before it.
        pub fn step<const B: usize>(
            &mut self,
            x: Tensor<f32, B, I>,
            y: Tensor<f32, B, 1>,
            rate: Tensor<f32>,
        ) -> Tensor<f32> {
            let p = self.params;
            let h = (x.dot(p.w1) + p.b1).tanh();
            let error = h.dot(p.w2) + p.b2 - y;
            let loss = (error * error).mean();

            let dy = error * 2.0 / B as f32;
            let dh = dy.dot(p.w2.t()) * (1.0 - h * h);
            let gradient = Params {
                w1: x.t().dot(dh),
                b1: dh.sum_axis(0).insert_axis(0),
                w2: h.t().dot(dy),
                b2: dy.sum_axis(0).insert_axis(0),
            };

            self.steps += 1;
            let t = self.steps as f32;
            let scale =
                rate * (1.0 - full::<f32>(0.999).powf(t)).sqrt() / (1.0 - full::<f32>(0.9).powf(t));
            let (w1, m, v) = adam(p.w1, gradient.w1, self.m.w1, self.v.w1, scale);
            self.params.w1 = w1;
            self.m.w1 = m;
            self.v.w1 = v;
            let (b1, m, v) = adam(p.b1, gradient.b1, self.m.b1, self.v.b1, scale);
            self.params.b1 = b1;
            self.m.b1 = m;
            self.v.b1 = v;
            let (w2, m, v) = adam(p.w2, gradient.w2, self.m.w2, self.v.w2, scale);
            self.params.w2 = w2;
            self.m.w2 = m;
            self.v.w2 = v;
            let (b2, m, v) = adam(p.b2, gradient.b2, self.m.b2, self.v.b2, scale);
            self.params.b2 = b2;
            self.m.b2 = m;
            self.v.b2 = v;
            loss
        }

        /// Steps over the same rows; all losses.
        pub fn train<const B: usize>(
            &mut self,
            x: Tensor<f32, B, I>,
            y: Tensor<f32, B, 1>,
            rate: Tensor<f32>,
        ) -> Tensor<f32, 10> {
            let mut losses = zeros::<f32, 10>();
            for k in range(0, 10) {
                losses[k] = self.step(x, y, rate);
            }
            losses
        }

        pub fn params(&self) -> Params {
            self.params
        }
    }

    #[kernel]
    fn adam<const N: usize, const M: usize>(
        p: Tensor<f32, N, M>,
        g: Tensor<f32, N, M>,
        m: Tensor<f32, N, M>,
        v: Tensor<f32, N, M>,
        scale: Tensor<f32>,
    ) -> (Tensor<f32, N, M>, Tensor<f32, N, M>, Tensor<f32, N, M>) {
        let m = m * 0.9 + g * 0.1;
        let v = v * 0.999 + g * g * 0.001;
        (p - m / (v.sqrt() + 1e-8) * scale, m, v)
    }
}

/// The parameters one after the other: 3 × 8, 8, 8 and 1.
struct Plain {
    p: Vec<f64>,
    m: Vec<f64>,
    v: Vec<f64>,
    steps: i32,
}

impl Plain {
    fn hidden(&self, x: &[f64]) -> Vec<f64> {
        let sum = |j: usize| (0..3).map(|i| x[i] * self.p[8 * i + j]).sum::<f64>() + self.p[24 + j];
        (0..8).map(|j| sum(j).tanh()).collect()
    }

    fn predict(&self, x: &[f64]) -> f64 {
        let h = self.hidden(x);
        (0..8).map(|j| h[j] * self.p[32 + j]).sum::<f64>() + self.p[40]
    }

    fn step(&mut self, x: &[Vec<f64>], y: &[f64], rate: f64) -> f64 {
        let (mut g, mut loss, n) = ([0.0; 41], 0.0, x.len() as f64);
        for (x, y) in x.iter().zip(y) {
            let h = self.hidden(x);
            let error = self.predict(x) - y;
            loss += error * error / n;
            for j in 0..8 {
                let dh = 2.0 * error / n * self.p[32 + j] * (1.0 - h[j] * h[j]);
                (0..3).for_each(|i| g[8 * i + j] += x[i] * dh);
                g[24 + j] += dh;
                g[32 + j] += 2.0 * error / n * h[j];
            }
            g[40] += 2.0 * error / n;
        }
        self.steps += 1;
        let corrected = |decay: f64| 1.0 - decay.powi(self.steps);
        for (k, g) in g.iter().enumerate() {
            self.m[k] = 0.9 * self.m[k] + 0.1 * g;
            self.v[k] = 0.999 * self.v[k] + 0.001 * g * g;
            let root = self.v[k].sqrt() + 1e-8;
            self.p[k] -= rate * corrected(0.999).sqrt() / corrected(0.9) * self.m[k] / root;
        }
        loss
    }
}

#[test]
fn perceptrons_learn() {
    on_devices(|device| {
        let mut program = perceptron::Perceptron::load(device).unwrap();
        at_sizes(device, &[1, 4, 32, 61], |n| {
            let mut numbers = Numbers::new(n as u64);
            let (w1, b1) = (numbers.array((3, 8)), numbers.array((1, 8)) * 0.1);
            let (w2, b2) = (numbers.array((8, 1)), numbers.array((1, 1)) * 0.1);
            let x = numbers.array((n, 3));
            let y = Array2::from_shape_fn((n, 1), |(i, _)| {
                (x[(i, 0)] * 3.0).sin() + x[(i, 1)] * x[(i, 2)]
            });
            let params = perceptron::Params::upload(device, &w1, &b1, &w2, &b2).unwrap();
            program.start(&params).unwrap();
            let all = w1.iter().chain(&b1).chain(&w2).chain(&b2);
            let mut plain = Plain {
                p: all.map(|p| f64::from(*p)).collect(),
                m: vec![0.0; 41],
                v: vec![0.0; 41],
                steps: 0,
            };
            let rows: Vec<Vec<f64>> = x
                .rows()
                .into_iter()
                .map(|x| x.mapv(f64::from).to_vec())
                .collect();
            let labels: Vec<_> = y.iter().map(|y| f64::from(*y)).collect();
            // A step is as long as the rate, whatever the gradient: where that is nearly zero, its error counts
            // in full. The corrections are differences of powers near 1.
            let within = |steps: i32| f64::from(steps) * 1000.0 * ROUND;
            for step in 1..4 {
                let loss = plain.step(&rows, &labels, 0.02);
                let found = program.step(&x, &y, 0.02).unwrap();
                close(("loss", n, step), &found, &[loss], within(step));
            }
            let losses: Vec<_> = (0..10).map(|_| plain.step(&rows, &labels, 0.02)).collect();
            let found = program.train(&x, &y, 0.02).unwrap();
            close(("losses", n), &found, &losses, within(13));
            assert!(n == 1 || losses[9] < losses[0]);
            let found = program.params().unwrap();
            close(("w1", n), &found.w1, &plain.p[..24], within(13));
            close(("b1", n), &found.b1, &plain.p[24..32], within(13));
            close(("w2", n), &found.w2, &plain.p[32..40], within(13));
            close(("b2", n), &found.b2, &plain.p[40..], within(13));
            let right: Vec<_> = rows.iter().map(|x| plain.predict(x)).collect();
            close(
                ("predict", n),
                &program.predict(&x).unwrap(),
                &right,
                within(20),
            );
        });
    });
}

/// One neuron with momentum, weight decay and gradients that are clipped, in batches of random order.
#[program]
mod batches {
    pub struct Batches;

    impl Batches {
        pub fn epoch<const N: usize>(
            &self,
            x: Tensor<f32, N, 4>,
            y: Tensor<f32, N>,
            order: Tensor<i32, N>,
            start: Tensor<f32, 4>,
        ) -> (Tensor<f32, 4>, Tensor<f32>) {
            let (mut w, mut speed) = (start, zeros_like(start));
            let mut worst = 0.0;
            for k in range(0, N as i32 / 4) {
                let rows = order.dynamic_slice([k * 4], [4]);
                let (x, y) = (x.take(rows, 0), y.take(rows, 0));
                let p = x.dot(w).sigmoid();
                let g = (p - y).dot(x) / 4.0 + w * 0.01;
                let length = (g * g).sum().sqrt();
                worst = length.maximum(worst);
                let g = g * (0.2 / length.maximum(0.2));
                speed = speed * 0.9 + g;
                w -= speed * 0.1;
            }
            (w, worst)
        }
    }
}

#[test]
fn batches_come_in_any_order() {
    on_devices(|device| {
        let program = batches::Batches::load(device).unwrap();
        at_sizes(device, &[4, 7, 40, 101], |n| {
            let mut numbers = Numbers::new(n as u64 + 1);
            let x = numbers.array((n, 4));
            let y = Array1::from_shape_fn(n, |i| f32::from(u8::from(x[(i, 0)] > x[(i, 1)])));
            let mut order: Vec<usize> = (0..n).collect();
            (1..n)
                .rev()
                .for_each(|i| order.swap(i, numbers.below(i + 1)));
            let start = numbers.array(4);
            let (mut w, mut speed, mut worst) = (start.mapv(f64::from), [0.0; 4], 0.0_f64);
            for rows in order.chunks_exact(4) {
                let mut g: Vec<_> = w.iter().map(|w| 0.01 * w).collect();
                for i in rows {
                    let z: f64 = (0..4).map(|j| f64::from(x[(*i, j)]) * w[j]).sum();
                    let error = 1.0 / (1.0 + (-z).exp()) - f64::from(y[*i]);
                    (0..4).for_each(|j| g[j] += error * f64::from(x[(*i, j)]) / 4.0);
                }
                let length = g.iter().map(|g| g * g).sum::<f64>().sqrt();
                worst = worst.max(length);
                for j in 0..4 {
                    speed[j] = 0.9 * speed[j] + g[j] * (0.2 / length).min(1.0);
                    w[j] -= 0.1 * speed[j];
                }
            }
            let order: Array1<i32> = order.iter().map(|i| *i as i32).collect();
            let found = program.epoch(&x, &y, &order, &start).unwrap();
            // Some 20 roundings a batch, of steps of 0.2 that the next ones partly take back.
            close(("w", n), &found.0, &w.to_vec(), 20.0 * n as f64 * ROUND);
            close(("worst", n), &found.1, &[worst], 20.0 * n as f64 * ROUND);
        });
    });
}
