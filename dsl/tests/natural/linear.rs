//! Linear models.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

/// Softmax regression.
#[program]
mod logistic {
    pub struct Logistic {
        #[global]
        w: Tensor<f32, 4, 3>,
        #[global]
        b: Tensor<f32, 3>,
    }

    impl Logistic {
        pub fn set(&mut self, w: Tensor<f32, 4, 3>, b: Tensor<f32, 3>) {
            self.w = w;
            self.b = b;
        }

        pub fn predict<const B: usize>(&self, x: Tensor<f32, B, 4>) -> Tensor<i32, B> {
            (x.dot(self.w) + self.b).argmax_axis(-1)
        }

        /// A step down the gradient; the loss before it.
        pub fn step<const B: usize>(
            &mut self,
            x: Tensor<f32, B, 4>,
            labels: Tensor<i32, B>,
            rate: Tensor<f32>,
        ) -> Tensor<f32> {
            let logits = x.dot(self.w) + self.b;
            let targets = labels.one_hot::<f32, 3>();
            let loss = -(targets * logits.log_softmax(-1)).sum() / B as f32;
            let error = (logits.softmax(-1) - targets) / B as f32;
            self.w -= x.t().dot(error) * rate;
            self.b -= error.sum_axis(0) * rate;
            loss
        }

        pub fn accuracy<const B: usize>(
            &self,
            x: Tensor<f32, B, 4>,
            labels: Tensor<i32, B>,
        ) -> Tensor<f32> {
            ((self.predict(x) == labels) as f32).mean()
        }

        pub fn weights(&self) -> (Tensor<f32, 4, 3>, Tensor<f32, 3>) {
            (self.w, self.b)
        }
    }
}

/// The cross-entropy of logits, with the gradient of the bias.
#[program]
mod cross_entropy {
    pub struct CrossEntropy;

    impl CrossEntropy {
        pub fn of<const B: usize>(
            &self,
            x: Tensor<f32, B, 3>,
            b: Tensor<f32, 3>,
        ) -> (Tensor<f32, B, 3>, Tensor<f32, 3>) {
            let x = x + b;
            (x.log_softmax(-1), x.softmax(-1).sum_axis(0))
        }

        /// The same of as many logits as there are classes in a file.
        pub fn of_batch(
            &self,
            x: Tensor<f32, 16, 10>,
            b: Tensor<f32, 10>,
        ) -> (Tensor<f32, 16, 10>, Tensor<f32, 10>) {
            let x = x + b;
            (x.log_softmax(-1), x.softmax(-1).sum_axis(0))
        }
    }
}

fn softmax(row: &[f64]) -> Vec<f64> {
    let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = row.iter().map(|x| (x - largest).exp()).sum();
    row.iter().map(|x| (x - largest).exp() / sum).collect()
}

/// The logarithms of `softmax` by row, and the sums of `softmax` by column.
fn entropies(x: &Array2<f32>, b: &Array1<f32>) -> (Vec<f64>, Vec<f64>) {
    let (mut logs, mut sums) = (vec![], vec![0.0; b.len()]);
    for row in x.rows() {
        let row: Vec<_> = row
            .iter()
            .zip(b)
            .map(|(x, b)| f64::from(*x) + f64::from(*b))
            .collect();
        let p = softmax(&row);
        logs.extend(p.iter().map(|p| p.ln()));
        sums.iter_mut().zip(p).for_each(|(sum, p)| *sum += p);
    }
    (logs, sums)
}

#[test]
fn cross_entropies_are_those_of_shifted_logits() {
    on_devices(|device| {
        let program = cross_entropy::CrossEntropy::load(device).unwrap();
        at_sizes(device, &[1, 5, 16, 33], |n| {
            let mut numbers = Numbers::new(n as u64);
            let (logits, b) = (numbers.array((n, 3)) * 5.0, numbers.array(3));
            let (logs, sums) = entropies(&logits, &b);
            let found = program.of(&logits, &b).unwrap();
            // Exponentials of up to 12, and sums of 3 or n of at most 1.
            close(("logs", n), &found.0, &logs, 12.0 * 4.0 * ROUND);
            close(("sums", n), &found.1, &sums, (n + 24) as f64 * ROUND);

            let (logits, b) = (numbers.array((16, 10)) * 5.0, numbers.array(10));
            let (logs, sums) = entropies(&logits, &b);
            let found = program.of_batch(&logits, &b).unwrap();
            close("logs of 10", &found.0, &logs, 12.0 * 4.0 * ROUND);
            close("sums of 10", &found.1, &sums, 40.0 * ROUND);
        });
    });
}

#[test]
fn logistic_regression_steps_down() {
    on_devices(|device| {
        let mut program = logistic::Logistic::load(device).unwrap();
        at_sizes(device, &[1, 5, 16, 33], |n| {
            let mut numbers = Numbers::new(n as u64);
            let (x, labels) = (numbers.array((n, 4)), numbers.integers(n, 3));
            let (w, b) = (numbers.array((4, 3)), numbers.array(3));
            program.set(&w, &b).unwrap();
            let (mut w, mut b) = (w.mapv(f64::from), b.mapv(f64::from));
            for _ in 0..4 {
                let (mut loss, mut dw, mut db) =
                    (0.0, Array2::<f64>::zeros((4, 3)), Array1::<f64>::zeros(3));
                let mut hits = 0;
                for i in 0..n {
                    let logits: Vec<f64> = (0..3)
                        .map(|k| {
                            b[k] + (0..4)
                                .map(|j| f64::from(x[(i, j)]) * w[(j, k)])
                                .sum::<f64>()
                        })
                        .collect();
                    let p = softmax(&logits);
                    let label = labels[i] as usize;
                    loss -= p[label].ln() / n as f64;
                    hits += usize::from((0..3).all(|k| logits[k] <= logits[label]));
                    for k in 0..3 {
                        let error = (p[k] - f64::from(u8::from(k == label))) / n as f64;
                        db[k] += error;
                        (0..4).for_each(|j| dw[(j, k)] += f64::from(x[(i, j)]) * error);
                    }
                }
                let accuracy = program.accuracy(&x, &labels).unwrap();
                close(
                    ("accuracy", n),
                    &accuracy,
                    &[hits as f64 / n as f64],
                    2.0 * ROUND,
                );
                let found = program.step(&x, &labels, 0.5).unwrap();
                w = w - dw * 0.5;
                b = b - db * 0.5;
                // Some 10 roundings of numbers of about 1 a step, and n of the sums.
                close(("loss", n), &found, &[loss], (n + 60) as f64 * ROUND);
            }
            let found = program.weights().unwrap();
            let right: Vec<_> = w.iter().copied().collect();
            close(("w", n), &found.0, &right, (n + 60) as f64 * ROUND);
            close(("b", n), &found.1, &b.to_vec(), (n + 60) as f64 * ROUND);
        });
    });
}

/// Least squares by the normal equations.
#[program]
mod ridge {
    pub struct Ridge;

    impl Ridge {
        pub fn fit<const N: usize>(
            &self,
            x: Tensor<f64, N, 4>,
            y: Tensor<f64, N>,
            penalty: Tensor<f64>,
        ) -> Tensor<f64, 4> {
            (x.t().dot(x) + eye::<f64, 4, 4>() * penalty).solve(x.t().dot(y))
        }

        /// With an intercept, which is not penalised.
        pub fn fit_centered<const N: usize>(
            &self,
            x: Tensor<f64, N, 4>,
            y: Tensor<f64, N>,
            penalty: Tensor<f64>,
        ) -> (Tensor<f64, 4>, Tensor<f64>) {
            let xm = x.mean_axis(0);
            let ym = y.mean();
            let w = self.fit(x - xm, y - ym, penalty);
            (w, ym - xm.dot(w))
        }

        /// How much of the variance of `y` the model explains.
        pub fn score<const N: usize>(
            &self,
            x: Tensor<f64, N, 4>,
            y: Tensor<f64, N>,
            w: Tensor<f64, 4>,
            intercept: Tensor<f64>,
        ) -> Tensor<f64> {
            let residual = y - x.dot(w) - intercept;
            let spread = y - y.mean();
            1.0 - (residual * residual).sum() / (spread * spread).sum()
        }
    }
}

/// Gauss's elimination with pivots.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()))
            .unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            (k..n).for_each(|j| a[i][j] -= factor * a[k][j]);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b
}

#[test]
fn ridge_regression_solves_the_normal_equations() {
    on_devices(|device| {
        let program = ridge::Ridge::load(device).unwrap();
        at_sizes(device, &[1, 4, 9, 100], |n| {
            let mut numbers = Numbers::new(n as u64 + 3);
            let x = numbers.array((n, 4)).mapv(f64::from);
            let y = numbers.array(n).mapv(f64::from) + 2.0;
            for penalty in [0.1, 1.0] {
                let fit = |x: &Array2<f64>, y: &Array1<f64>| {
                    let mut a = vec![vec![0.0; 4]; 4];
                    let mut b = vec![0.0; 4];
                    for i in 0..n {
                        for j in 0..4 {
                            b[j] += x[(i, j)] * y[i];
                            (0..4).for_each(|k| a[j][k] += x[(i, j)] * x[(i, k)]);
                        }
                    }
                    (0..4).for_each(|j| a[j][j] += penalty);
                    solve(a, b)
                };
                // The condition is below 1000, the roundings are those of f64.
                let found = program.fit(&x, &y, penalty).unwrap();
                close(("w", n), &found, &fit(&x, &y), 1e-12);

                let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / n as f64;
                let xm: Vec<_> = (0..4)
                    .map(|j| mean(&mut (0..n).map(|i| x[(i, j)])))
                    .collect();
                let ym = mean(&mut y.iter().copied());
                let centered = Array2::from_shape_fn((n, 4), |(i, j)| x[(i, j)] - xm[j]);
                let w = fit(&centered, &y.mapv(|y| y - ym));
                let intercept = ym - (0..4).map(|j| xm[j] * w[j]).sum::<f64>();
                let found = program.fit_centered(&x, &y, penalty).unwrap();
                close(("centered", n), &found.0, &w, 1e-12);
                close(("intercept", n), &found.1, &[intercept], 1e-12);

                if n > 1 {
                    let (mut left, mut all) = (0.0, 0.0);
                    for i in 0..n {
                        let fitted: f64 = (0..4).map(|j| x[(i, j)] * w[j]).sum();
                        left += (y[i] - fitted - intercept).powi(2);
                        all += (y[i] - ym).powi(2);
                    }
                    let found = program.score(&x, &y, &Array1::from(w), intercept).unwrap();
                    close(("score", n), &found, &[1.0 - left / all], 1e-12);
                }
            }
        });
    });
}
