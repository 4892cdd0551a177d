//! Samples and what is said of them.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

#[program]
mod moments {
    pub struct Moments;

    impl Moments {
        pub fn covariance<const N: usize, const F: usize>(
            &self,
            x: Tensor<f32, N, F>,
        ) -> (Tensor<f32, F, F>, Tensor<f32, F, F>) {
            let c = x - x.mean_axis(0);
            let cov = c.t().dot(c) / (N as f32 - 1.0);
            let std = (c * c).sum_axis(0).sqrt() / (N as f32 - 1.0).sqrt();
            (cov, cov / std.outer(std))
        }

        /// Each column less its mean, in standard deviations.
        pub fn z_scores<const N: usize, const F: usize>(
            &self,
            x: Tensor<f32, N, F>,
        ) -> Tensor<f32, N, F> {
            (x - x.mean_axis(0)) / x.std_axis(0)
        }

        /// The same by row, and which are far away.
        pub fn outliers<const N: usize, const F: usize>(
            &self,
            x: Tensor<f32, N, F>,
        ) -> (Tensor<bool, N, F>, Tensor<i32>) {
            let z = (x - x.mean_axis(1).insert_axis(1)) / x.std_axis(1).insert_axis(1);
            let far = z.abs() > 1.5;
            (far, (far as i32).sum())
        }

        /// The mean, the variance, the skewness and the kurtosis.
        pub fn shape<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, 4> {
            let c = x - x.mean();
            let v = (c * c).mean();
            let skewness = (c * c * c).mean() / (v * v.sqrt());
            stack([x.mean(), v, skewness, c.powi(4).mean() / (v * v) - 3.0], 0)
        }

        /// By Welford's recurrence, in one pass.
        pub fn running<const N: usize>(
            &self,
            x: Tensor<f64, N>,
        ) -> (Tensor<f64, N>, Tensor<f64, N>) {
            let start = (0.0f64, 0.0f64, 0.0f64);
            let (_, all) = scan(start, x, |(n, mean, m2), x| {
                let n = n + 1.0;
                let d = x - mean;
                let mean = mean + d / n;
                let m2 = m2 + d * (x - mean);
                ((n, mean, m2), (mean, m2 / n))
            });
            all
        }
    }
}

#[test]
fn moments_are_means_of_powers() {
    on_devices(|device| {
        let program = moments::Moments::load(device).unwrap();
        at_sizes(
            device,
            &[(2, 1), (3, 3), (9, 2), (16, 8), (101, 13)],
            |(n, f)| {
                let mut numbers = Numbers::new((n * 20 + f) as u64);
                let x = numbers.array((n, f)) + 0.3;
                let at = |i: usize, j: usize| f64::from(x[(i, j)]);
                let mean = |j: usize| (0..n).map(|i| at(i, j)).sum::<f64>() / n as f64;
                let moment = |j: usize, k: usize| -> f64 {
                    (0..n)
                        .map(|i| (at(i, j) - mean(j)) * (at(i, k) - mean(k)))
                        .sum()
                };
                let (mut cov, mut correlation) = (vec![], vec![]);
                for j in 0..f {
                    for k in 0..f {
                        cov.push(moment(j, k) / (n as f64 - 1.0));
                        correlation.push(moment(j, k) / (moment(j, j) * moment(k, k)).sqrt());
                    }
                }
                // n roundings of sums next to a spread of about 1, which two rows may not have.
                let spread = (0..f)
                    .map(|j| (moment(j, j) / n as f64).sqrt())
                    .fold(1.0, f64::min);
                let within = (2 * n + 20) as f64 * ROUND / spread;
                let found = program.covariance(&x).unwrap();
                close(("cov", n, f), &found.0, &cov, within);
                close(("correlation", n, f), &found.1, &correlation, within);

                let z: Vec<_> = (0..n * f)
                    .map(|k| {
                        (at(k / f, k % f) - mean(k % f)) / (moment(k % f, k % f) / n as f64).sqrt()
                    })
                    .collect();
                close(("z", n, f), &program.z_scores(&x).unwrap(), &z, within);

                let mut far = vec![];
                for i in 0..n {
                    let mean = (0..f).map(|j| at(i, j)).sum::<f64>() / f as f64;
                    let v = (0..f).map(|j| (at(i, j) - mean).powi(2)).sum::<f64>() / f as f64;
                    far.extend((0..f).map(|j| (at(i, j) - mean).abs() / v.sqrt() > 1.5));
                }
                let found = program.outliers(&x).unwrap();
                same(("far", n, f), &found.0, &far);
                same(
                    ("count", n, f),
                    &found.1,
                    &[far.iter().filter(|far| **far).count() as i32],
                );

                let x = x.column(0).mapv(f64::from);
                let mean = mean(0);
                let power = |p: i32| x.iter().map(|x| (x - mean).powi(p)).sum::<f64>() / n as f64;
                let shape = [
                    mean,
                    power(2),
                    power(3) / power(2).powf(1.5),
                    power(4) / power(2).powi(2) - 3.0,
                ];
                close(("shape", n), &program.shape(&x).unwrap(), &shape, 1e-11);
                let (mut means, mut variances) = (vec![], vec![]);
                for k in 1..=n {
                    let mean = x.iter().take(k).sum::<f64>() / k as f64;
                    means.push(mean);
                    variances
                        .push(x.iter().take(k).map(|x| (x - mean).powi(2)).sum::<f64>() / k as f64);
                }
                let found = program.running(&x).unwrap();
                close(("means", n), &found.0, &means, 1e-14);
                close(("variances", n), &found.1, &variances, 1e-14);
            },
        );
    });
}

/// Order statistics.
#[program]
mod quantiles {
    pub struct Quantiles;

    impl Quantiles {
        /// By linear interpolation between the sorted numbers.
        pub fn quantiles<const N: usize, const Q: usize>(
            &self,
            x: Tensor<f32, N>,
            q: Tensor<f32, Q>,
        ) -> Tensor<f32, Q> {
            let sorted = x.sort(0);
            let place = q * (N as f32 - 1.0);
            let low = place.floor();
            let part = place - low;
            let low = low as i32;
            sorted.take(low, 0) * (1.0 - part) + sorted.take(low + 1, 0) * part
        }

        /// The median and the median distance from it, of each column.
        pub fn medians<const N: usize>(
            &self,
            x: Tensor<f32, N, 3>,
        ) -> (Tensor<f32, 3>, Tensor<f32, 3>) {
            let median = middle(x);
            (median, middle((x - median).abs()))
        }

        /// Spearman's correlation, of numbers that differ.
        pub fn rank_correlation<const N: usize>(
            &self,
            x: Tensor<f32, N>,
            y: Tensor<f32, N>,
        ) -> Tensor<f64> {
            let a = x.argsort(0).argsort(0) as f64;
            let b = y.argsort(0).argsort(0) as f64;
            let (a, b) = (a - a.mean(), b - b.mean());
            a.dot(b) / (a.dot(a) * b.dot(b)).sqrt()
        }

        /// How far two empirical distributions are apart.
        pub fn distance<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N>,
            y: Tensor<f32, M>,
        ) -> Tensor<f32> {
            let all = concatenate([x, y], 0);
            let below_x = (all.insert_axis(1) >= x) as f32;
            let below_y = (all.insert_axis(1) >= y) as f32;
            (below_x.mean_axis(1) - below_y.mean_axis(1)).abs().max()
        }
    }

    #[kernel]
    fn middle<const N: usize>(x: Tensor<f32, N, 3>) -> Tensor<f32, 3> {
        let sorted = x.sort(0);
        let last = N as i32 - 1;
        (sorted[last / 2] + sorted[(last + 1) / 2]) / 2.0
    }
}

#[test]
fn quantiles_are_places_among_the_sorted() {
    on_devices(|device| {
        let program = quantiles::Quantiles::load(device).unwrap();
        at_sizes(device, &[2, 3, 4, 25, 100], |n| {
            let mut numbers = Numbers::new(n as u64 + 1);
            let (x, y, z) = (numbers.array(n), numbers.array(n), numbers.array(n / 2 + 1));
            let sort = |x: &[f64]| {
                let mut x = x.to_vec();
                x.sort_by(f64::total_cmp);
                x
            };
            let wide = |x: &Array1<f32>| x.iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
            let sorted = sort(&wide(&x));
            let q = Array1::from(vec![0.0_f32, 0.25, 0.5, 0.9, 1.0]);
            let right: Vec<_> = q
                .iter()
                .map(|q| {
                    let place = f64::from(*q) * (n as f64 - 1.0);
                    let (low, part) = (place.floor() as usize, place.fract());
                    sorted[low] + part * (sorted[(low + 1).min(n - 1)] - sorted[low])
                })
                .collect();
            // The place has an error of some roundings of n.
            let found = program.quantiles(&x, &q).unwrap();
            close(("quantiles", n), &found, &right, 4.0 * n as f64 * ROUND);

            let table = numbers.array((n, 3));
            let middle = |x: &[f64]| (sort(x)[(n - 1) / 2] + sort(x)[n / 2]) / 2.0;
            let columns = [0, 1, 2].map(|j| wide(&table.column(j).to_owned()));
            let medians = columns.each_ref().map(|x| middle(x));
            let distances = columns
                .each_ref()
                .map(|x| middle(&x.iter().map(|y| (y - middle(x)).abs()).collect::<Vec<_>>()));
            let found = program.medians(&table).unwrap();
            close(("medians", n), &found.0, &medians, ROUND);
            close(("distances", n), &found.1, &distances, 4.0 * ROUND);

            let rank = |x: &Array1<f32>, i: usize| x.iter().filter(|y| **y < x[i]).count() as f64;
            let gaps: f64 = (0..n).map(|i| (rank(&x, i) - rank(&y, i)).powi(2)).sum();
            let size = n as f64;
            let right = 1.0 - 6.0 * gaps / (size * (size * size - 1.0));
            close(
                ("rank", n),
                &program.rank_correlation(&x, &y).unwrap(),
                &[right],
                1e-14,
            );

            let share = |x: &Array1<f32>, at: f32| {
                x.iter().filter(|x| **x <= at).count() as f64 / x.len() as f64
            };
            let gaps = x
                .iter()
                .chain(&z)
                .map(|at| (share(&x, *at) - share(&z, *at)).abs());
            let right = gaps.fold(0.0, f64::max);
            close(
                ("distance", n),
                &program.distance(&x, &z).unwrap(),
                &[right],
                2.0 * ROUND,
            );
        });
    });
}

/// What another sample of the same might have given.
#[program]
mod bootstrap {
    const SAMPLES: usize = 200;

    pub struct Bootstrap;

    impl Bootstrap {
        /// The means of samples, which rows they are of, and the bounds of nine in ten.
        pub fn means<const N: usize>(
            &self,
            seed: Tensor<i32>,
            x: Tensor<f32, N>,
        ) -> (
            Tensor<f32, SAMPLES>,
            Tensor<i32, SAMPLES, N>,
            Tensor<f32, 2>,
        ) {
            let rows: Tensor<i32, SAMPLES, N> = random::randint(random::key(seed), 0, N as i32);
            let means = x.take(rows, 0).mean_axis(1);
            let sorted = means.sort(0);
            (
                means,
                rows,
                stack(
                    [sorted[SAMPLES / 20], sorted[SAMPLES - 1 - SAMPLES / 20]],
                    0,
                ),
            )
        }

        /// How often a random assignment to groups has a difference of means as large as that given.
        pub fn permutations<const N: usize>(
            &self,
            seed: Tensor<i32>,
            x: Tensor<f32, N>,
            group: Tensor<bool, N>,
        ) -> (Tensor<f32>, Tensor<f32>) {
            let key = random::key(seed);
            let share =
                group as f32 / (group as f32).sum() - (!group) as f32 / ((!group) as f32).sum();
            let seen = x.dot(share).abs();
            let mut larger = 0;
            for k in range(0, 100) {
                let other = random::permutation(random::fold_in(key, k), x)
                    .dot(share)
                    .abs();
                larger += (other >= seen) as i32;
            }
            (seen, larger as f32 / 100.0)
        }
    }
}

#[test]
fn samples_are_drawn_again() {
    on_devices(|device| {
        let program = bootstrap::Bootstrap::load(device).unwrap();
        at_sizes(device, &[1, 2, 9, 50], |n| {
            let x = Numbers::new(n as u64 + 2).array(n);
            let (means, rows, bounds) = program.means(n as i32, &x).unwrap();
            let rows: Array2<i32> = rows.to_array().unwrap();
            assert!(rows.iter().all(|row| (0..n as i32).contains(row)));
            // Each place is drawn about as often: 200 times, with a standard deviation of 14.
            for i in 0..n {
                let drawn = rows.iter().filter(|row| **row == i as i32).count() as f64;
                assert!(
                    (drawn - 200.0).abs() < 5.0 * 200.0_f64.sqrt(),
                    "{i} of {n}: {drawn}"
                );
            }
            let mut right: Vec<_> = rows
                .rows()
                .into_iter()
                .map(|row| row.iter().map(|i| f64::from(x[*i as usize])).sum::<f64>() / n as f64)
                .collect();
            close(("means", n), &means, &right, 2.0 * n as f64 * ROUND);
            right.sort_by(f64::total_cmp);
            close(
                ("bounds", n),
                &bounds,
                &[right[10], right[189]],
                2.0 * n as f64 * ROUND,
            );

            if n > 2 {
                let group = Array1::from_shape_fn(n, |i| i % 3 == 0);
                let mean = |of: bool| {
                    let part: Vec<_> = (0..n).filter(|i| group[*i] == of).collect();
                    part.iter().map(|i| f64::from(x[*i])).sum::<f64>() / part.len() as f64
                };
                let (seen, p) = program.permutations(5, &x, &group).unwrap();
                close(
                    ("seen", n),
                    &seen,
                    &[(mean(true) - mean(false)).abs()],
                    2.0 * n as f64 * ROUND,
                );
                // Of the 100 by chance, about as many as of others that are drawn here.
                let mut numbers = Numbers::new(n as u64);
                let mut larger = 0;
                for _ in 0..2000 {
                    let mut order: Vec<_> = (0..n).collect();
                    (1..n)
                        .rev()
                        .for_each(|i| order.swap(i, numbers.below(i + 1)));
                    let mean = |of: bool| {
                        let part: Vec<_> = (0..n).filter(|i| group[*i] == of).collect();
                        part.iter().map(|i| x[order[*i]]).sum::<f32>() / part.len() as f32
                    };
                    let seen = f64::from(seen.to_scalar().unwrap());
                    larger += i32::from(f64::from((mean(true) - mean(false)).abs()) >= seen);
                }
                let gap = f64::from(p.to_scalar().unwrap()) - f64::from(larger) / 2000.0;
                assert!(gap.abs() < 5.0 * 0.05, "{n}: {gap}");
            }
        });
    });
}
