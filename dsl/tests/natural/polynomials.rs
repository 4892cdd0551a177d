//! Polynomials by their coefficients, the constant first.

use crate::common::{Numbers, at_sizes, close, on_devices};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

#[program]
mod polynomials {
    pub struct Polynomials;

    impl Polynomials {
        /// The values at many places, by Horner's scheme.
        pub fn at<const C: usize, const N: usize>(
            &self,
            c: Tensor<f64, C>,
            x: Tensor<f64, N>,
        ) -> Tensor<f64, N> {
            let mut y = zeros_like(x);
            for k in range(0, C as i32) {
                y = y * x + c[C as i32 - 1 - k];
            }
            y
        }

        /// The same by powers.
        pub fn by_powers<const C: usize, const N: usize>(
            &self,
            c: Tensor<f64, C>,
            x: Tensor<f64, N>,
        ) -> Tensor<f64, N> {
            let powers = concatenate(
                [
                    ones::<f64, N, 1>(),
                    x.insert_axis(1).broadcast_to([N, C - 1]).cumprod(1),
                ],
                1,
            );
            powers.dot(c)
        }

        pub fn product<const A: usize, const B: usize>(
            &self,
            a: Tensor<f64, A>,
            b: Tensor<f64, B>,
        ) -> Tensor<f64, { A + B - 1 }> {
            let place = iota::<i32, A, B>(0) + iota::<i32, A, B>(1);
            zeros::<f64, { A + B - 1 }>().scatter_add(place.flatten(), a.outer(b).flatten(), 0)
        }

        pub fn product_by_spectrum<const A: usize, const B: usize>(
            &self,
            a: Tensor<f64, A>,
            b: Tensor<f64, B>,
        ) -> Tensor<f64, { A + B }> {
            let a = concatenate([a, zeros::<f64, B>()], 0).fft();
            let b = concatenate([b, zeros::<f64, A>()], 0).fft();
            (a * b).ifft().re()
        }

        pub fn derivative<const C: usize>(&self, c: Tensor<f64, C>) -> Tensor<f64, _> {
            c[s![1..]] * arange::<f64, { C - 1 }>() + c[s![1..]]
        }

        /// The polynomial through points, by Vandermonde's matrix.
        pub fn through(&self, x: Tensor<f64, 6>, y: Tensor<f64, 6>) -> Tensor<f64, 6> {
            let v = stack(
                [ones_like(x), x, x.powi(2), x.powi(3), x.powi(4), x.powi(5)],
                1,
            );
            v.solve(y)
        }

        /// Its value at other places, by Lagrange's sums.
        pub fn between<const N: usize, const M: usize>(
            &self,
            x: Tensor<f64, N>,
            y: Tensor<f64, N>,
            at: Tensor<f64, M>,
        ) -> Tensor<f64, M> {
            let same = eye::<bool, N, N>();
            let gaps = select(same, 1.0, x.insert_axis(1) - x.insert_axis(0)).prod_axis(1);
            let steps = at.insert_axis(1) - x;
            let terms = select(same, 1.0, steps.insert_axis(1)).prod_axis(2) / gaps;
            terms.dot(y)
        }

        /// The root nearest to a start, by Newton's method.
        pub fn root<const C: usize>(&self, c: Tensor<f64, C>, start: Tensor<f64>) -> Tensor<f64> {
            let mut x = start;
            for _ in range(0, 60) {
                let (mut y, mut slope) = (0.0f64, 0.0f64);
                for k in range(0, C as i32) {
                    slope = slope * x + y;
                    y = y * x + c[C as i32 - 1 - k];
                }
                let next = x - y / slope;
                if (next - x).abs() < 1e-14 {
                    return next;
                }
                x = next;
            }
            x
        }
    }
}

#[test]
fn polynomials_are_sums_of_powers() {
    on_devices(|device| {
        let program = polynomials::Polynomials::load(device).unwrap();
        at_sizes(device, &[(2, 1), (3, 2), (6, 6), (17, 9)], |(n, m)| {
            let mut numbers = Numbers::new((n * 10 + m) as u64);
            let a: Array1<f64> = numbers.array(n).mapv(f64::from);
            let b: Array1<f64> = numbers.array(m).mapv(f64::from);
            let value = |c: &[f64], x: f64| -> f64 {
                c.iter()
                    .enumerate()
                    .map(|(k, c)| c * x.powi(k as i32))
                    .sum()
            };
            let right: Vec<_> = b.iter().map(|x| value(&a.to_vec(), *x)).collect();
            close(("at", n, m), &program.at(&a, &b).unwrap(), &right, 1e-14);
            close(
                ("by powers", n, m),
                &program.by_powers(&a, &b).unwrap(),
                &right,
                1e-14,
            );

            let mut product = vec![0.0; n + m];
            (0..n).for_each(|i| (0..m).for_each(|j| product[i + j] += a[i] * b[j]));
            let found = program.product(&a, &b).unwrap();
            close(("product", n, m), &found, &product[..n + m - 1], 1e-14);
            let found = program.product_by_spectrum(&a, &b).unwrap();
            close(("by spectrum", n, m), &found, &product, 1e-13);

            let right: Vec<_> = (1..n).map(|k| k as f64 * a[k]).collect();
            close(
                ("derivative", n),
                &program.derivative(&a).unwrap(),
                &right,
                1e-14,
            );

            let x = Array1::from_shape_fn(6, |i| (i as f64 * 0.52).cos());
            let c = numbers.array(6).mapv(f64::from);
            let y = x.mapv(|x| value(&c.to_vec(), x));
            close(
                "through",
                &program.through(&x, &y).unwrap(),
                &c.to_vec(),
                1e-11,
            );
            // Nodes of Chebyshev's, for which the sums do not grow.
            let x = Array1::from_shape_fn(n, |i| {
                ((i as f64 + 0.5) * std::f64::consts::PI / n as f64).cos()
            });
            let y = x.mapv(|x| value(&a.to_vec(), x));
            let right: Vec<_> = b.iter().map(|x| value(&a.to_vec(), *x)).collect();
            close(
                ("between", n, m),
                &program.between(&x, &y, &b).unwrap(),
                &right,
                1e-13,
            );

            // (x - 3) (x² + 1), times x² + 2 for longer ones.
            let c = [
                vec![-3.0, 1.0, -3.0, 1.0],
                vec![-6.0, 2.0, -9.0, 3.0, -3.0, 1.0],
            ];
            let c = Array1::from(c[usize::from(n > 3)].clone());
            close(("root", n), &program.root(&c, 4.0).unwrap(), &[3.0], 1e-14);
        });
    });
}

/// Splines, by a system with three diagonals.
#[program]
mod splines {
    pub struct Splines;

    impl Splines {
        /// The second derivatives at places with the distance 1, which are 0 at both ends, by Thomas's algorithm.
        pub fn bends<const N: usize>(&self, y: Tensor<f64, N>) -> Tensor<f64, N> {
            let mut c = zeros_like(y);
            let mut d = zeros_like(y);
            for i in range(1, N as i32 - 1) {
                let right = 6.0 * (y[i + 1] - 2.0 * y[i] + y[i - 1]);
                let pivot = 4.0 - c[i - 1];
                c[i] = 1.0 / pivot;
                d[i] = (right - d[i - 1]) / pivot;
            }
            let mut m = zeros_like(y);
            for k in range(2, N as i32) {
                let i = N as i32 - k;
                m[i] = d[i] - c[i] * m[i + 1];
            }
            m
        }

        pub fn at<const N: usize, const M: usize>(
            &self,
            y: Tensor<f64, N>,
            x: Tensor<f64, M>,
        ) -> Tensor<f64, M> {
            let m = self.bends(y);
            let left = x.floor().clamp(0.0, N as f64 - 2.0);
            let b = x - left;
            let a = 1.0 - b;
            let i = left as i32;
            let bent = (a * a * a - a) * m.take(i, 0) + (b * b * b - b) * m.take(i + 1, 0);
            a * y.take(i, 0) + b * y.take(i + 1, 0) + bent / 6.0
        }
    }
}

#[test]
fn splines_bend_least() {
    on_devices(|device| {
        let program = splines::Splines::load(device).unwrap();
        at_sizes(device, &[(2, 1), (3, 4), (4, 1), (20, 33)], |(n, k)| {
            let mut numbers = Numbers::new((n * 30 + k) as u64);
            let y = numbers.array(n).mapv(f64::from);
            // The whole system by elimination, row by row.
            let mut a = Array2::<f64>::eye(n);
            let mut m = vec![0.0; n];
            for i in 1..n - 1 {
                (a[(i, i - 1)], a[(i, i)], a[(i, i + 1)]) = (1.0, 4.0, 1.0);
                m[i] = 6.0 * (y[i + 1] - 2.0 * y[i] + y[i - 1]);
            }
            for p in 0..n {
                for i in p + 1..n {
                    let factor = a[(i, p)] / a[(p, p)];
                    (0..n).for_each(|j| a[(i, j)] -= factor * a[(p, j)]);
                    m[i] -= factor * m[p];
                }
            }
            for p in (0..n).rev() {
                let known: f64 = (p + 1..n).map(|j| a[(p, j)] * m[j]).sum();
                m[p] = (m[p] - known) / a[(p, p)];
            }
            close(("bends", n), &program.bends(&y).unwrap(), &m, 1e-13);
            let x = Array1::from_shape_simple_fn(k, || {
                f64::from(numbers.number(0.0, 1.0)) * (n as f64 - 1.0)
            });
            let right: Vec<_> = x
                .iter()
                .map(|x| {
                    let i = (*x as usize).min(n - 2);
                    let t = x - i as f64;
                    // In powers of the distance from the left point.
                    let slope = y[i + 1] - y[i] - (2.0 * m[i] + m[i + 1]) / 6.0;
                    y[i] + t * (slope + t * (m[i] / 2.0 + t * (m[i + 1] - m[i]) / 6.0))
                })
                .collect();
            close(("at", n, k), &program.at(&y, &x).unwrap(), &right, 1e-13);
        });
    });
}
