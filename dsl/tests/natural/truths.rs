//! Truth values beside products.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices, same};
use crate::graphs::edges;
use iree_dsl::prelude::*;
use ndarray::Array1;

/// Least squares with truth values for labels.
#[program]
mod truths {
    pub struct Truths;

    impl Truths {
        pub fn residual<const N: usize>(
            &self,
            x: Tensor<f64, N, 3>,
            w: Tensor<f64, 3>,
            y: Tensor<bool, N>,
        ) -> Tensor<f64, N> {
            x.dot(w) - y as f64
        }

        /// The mean of the squares, and its gradient.
        pub fn loss<const N: usize>(
            &self,
            x: Tensor<f64, N, 3>,
            w: Tensor<f64, 3>,
            y: Tensor<bool, N>,
        ) -> (Tensor<f64>, Tensor<f64, 3>) {
            let error = x.dot(w) - y as f64;
            ((error * error).mean(), error.dot(x) * 2.0 / N as f64)
        }

        pub fn descend<const N: usize>(
            &self,
            x: Tensor<f64, N, 3>,
            y: Tensor<bool, N>,
            rounds: Tensor<i32>,
        ) -> (Tensor<f64, 3>, Tensor<bool, N>, Tensor<i32>) {
            let mut w = zeros::<f64, 3>();
            for _ in range(0, rounds) {
                let (_, gradient) = self.loss(x, w, y);
                w -= gradient * 0.1;
            }
            let guess = x.dot(w) > 0.5;
            (w, guess, ((guess != y) as i32).sum())
        }
    }
}

#[test]
fn truth_values_are_labels() {
    on_devices(|device| {
        let program = truths::Truths::load(device).unwrap();
        at_sizes(device, &[1, 3, 8, 65], |n| {
            let mut numbers = Numbers::new(n as u64 + 4);
            let x = numbers.array((n, 3)).mapv(f64::from);
            let w = numbers.array(3).mapv(f64::from);
            let y = Array1::from_shape_fn(n, |i| x[(i, 0)] - x[(i, 2)] > 0.1);
            let errors = |w: &[f64]| -> Vec<f64> {
                (0..n)
                    .map(|i| {
                        (0..3).map(|j| x[(i, j)] * w[j]).sum::<f64>() - f64::from(u8::from(y[i]))
                    })
                    .collect()
            };
            let gradient = |errors: &[f64]| -> Vec<f64> {
                (0..3)
                    .map(|j| (0..n).map(|i| errors[i] * x[(i, j)]).sum::<f64>() * 2.0 / n as f64)
                    .collect()
            };
            let right = errors(&w.to_vec());
            close(
                ("residual", n),
                &program.residual(&x, &w, &y).unwrap(),
                &right,
                1e-14,
            );
            let found = program.loss(&x, &w, &y).unwrap();
            let loss = right.iter().map(|e| e * e).sum::<f64>() / n as f64;
            close(("loss", n), &found.0, &[loss], 1e-13);
            close(("gradient", n), &found.1, &gradient(&right), 1e-13);

            let mut w = vec![0.0; 3];
            for _ in 0..30 {
                let step = gradient(&errors(&w));
                w.iter_mut()
                    .zip(step)
                    .for_each(|(w, step)| *w -= 0.1 * step);
            }
            let guess: Vec<_> = (0..n)
                .map(|i| (0..3).map(|j| x[(i, j)] * w[j]).sum::<f64>() > 0.5)
                .collect();
            let wrong = (0..n).filter(|i| guess[*i] != y[*i]).count() as i32;
            let found = program.descend(&x, &y, 30).unwrap();
            close(("w", n), &found.0, &w, 1e-12);
            same(("guess", n), &found.1, &guess);
            same(("wrong", n), &found.2, &[wrong]);
        });
    });
}

/// Labels that spread along edges from the few nodes that have them.
#[program]
mod labels {
    pub struct Labels;

    impl Labels {
        pub fn spread<const N: usize>(
            &self,
            a: Tensor<f32, N, N>,
            labels: Tensor<i32, N>,
            rounds: Tensor<i32>,
        ) -> (Tensor<i32, N>, Tensor<f32, N, 3>) {
            let known = (labels >= 0).insert_axis(1);
            let given = labels.one_hot::<f32, 3>();
            let share = a / a.sum_axis(1).maximum(1.0).insert_axis(1);
            let mut f = select(known, given, 1.0 / 3.0);
            for _ in range(0, rounds) {
                f = select(known, given, share.dot(f));
            }
            (f.argmax_axis(1), f)
        }
    }
}

#[test]
fn labels_spread() {
    on_devices(|device| {
        let program = labels::Labels::load(device).unwrap();
        at_sizes(device, &[1, 4, 25, 66], |n| {
            let a = edges(n, 4, true);
            let mut numbers = Numbers::new(n as u64 + 6);
            let labels = numbers
                .integers(n, 8)
                .mapv(|label| if label < 3 { label } else { -1 });
            let start = |i: usize, k: usize| match labels[i] {
                -1 => 1.0 / 3.0,
                label => f64::from(u8::from(label == k as i32)),
            };
            let mut f: Vec<[f64; 3]> = (0..n).map(|i| [0, 1, 2].map(|k| start(i, k))).collect();
            for rounds in 0..6 {
                let (best, found) = program.spread(&a, &labels, rounds).unwrap();
                // A mean of up to 10 numbers below 1 in each round.
                let within = 16.0 * f64::from(rounds + 1) * ROUND;
                close(("spread", n, rounds), &found, f.as_flattened(), within);
                for (best, f) in best.to_array().unwrap().iter().zip(&f) {
                    assert!(f.iter().all(|other| f[*best as usize] >= other - within));
                }
                let old = f.clone();
                for i in (0..n).filter(|i| labels[*i] < 0) {
                    let near: Vec<_> = (0..n).filter(|j| a[(i, *j)] > 0.0).collect();
                    for k in 0..3 {
                        let sum: f64 = near.iter().map(|j| old[*j][k]).sum();
                        f[i][k] = sum / near.len().max(1) as f64;
                    }
                }
            }
        });
    });
}
