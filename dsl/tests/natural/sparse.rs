//! Entries at places.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

#[program]
mod histograms {
    pub struct Histograms;

    impl Histograms {
        /// How many numbers are in each of 20 ranges from -1 to 1, and those beyond in the outer ones.
        pub fn counts<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<i32, 20> {
            let place = ((x + 1.0) * 10.0).floor().clamp(0.0, 19.0) as i32;
            zeros::<i32, 20>().scatter_add(place, ones::<i32, N>(), 0)
        }

        /// Of pairs, in a table.
        pub fn joint<const N: usize>(
            &self,
            x: Tensor<i32, N>,
            y: Tensor<i32, N>,
        ) -> (Tensor<i32, 6, 7>, Tensor<f64>) {
            let counts = zeros::<i32, 42>()
                .scatter_add(x * 7 + y, ones_like(x), 0)
                .reshape([6, 7]);
            let p = counts as f64 / N as f64;
            let expected = p.sum_axis(1).outer(p.sum_axis(0));
            let information = select(p > 0.0, p * (p / expected).ln(), 0.0);
            (counts, information.sum())
        }

        /// The numbers of each group: how many, their sum, mean, largest and smallest.
        pub fn segments<const N: usize>(
            &self,
            x: Tensor<f64, N>,
            group: Tensor<i32, N>,
        ) -> (
            Tensor<i32, 8>,
            Tensor<f64, 8>,
            Tensor<f64, 8>,
            Tensor<f64, 8>,
            Tensor<f64, 8>,
        ) {
            let counts = zeros::<i32, 8>().scatter_add(group, ones_like(group), 0);
            let sums = zeros::<f64, 8>().scatter_add(group, x, 0);
            let largest = full::<f64, 8>(-1e300).scatter_max(group, x, 0);
            let smallest = full::<f64, 8>(1e300).scatter_min(group, x, 0);
            (
                counts,
                sums,
                sums / counts.maximum(1) as f64,
                largest,
                smallest,
            )
        }

        /// Rows less the mean of their group.
        pub fn centered<const N: usize, const F: usize>(
            &self,
            x: Tensor<f32, N, F>,
            group: Tensor<i32, N>,
        ) -> Tensor<f32, N, F> {
            let sums = zeros::<f32, 8, F>().scatter_add(group, x, 0);
            let counts = zeros::<f32, 8>().scatter_add(group, ones::<f32, N>(), 0);
            x - (sums / counts.maximum(1.0).insert_axis(1)).take(group, 0)
        }
    }
}

#[test]
fn histograms_count() {
    on_devices(|device| {
        let program = histograms::Histograms::load(device).unwrap();
        at_sizes(device, &[1, 2, 15, 64, 333], |n| {
            let mut numbers = Numbers::new(n as u64);
            // Not near the bounds of ranges.
            let ticks = numbers.integers(n, 28);
            let x = ticks.mapv(|tick| (tick as f32 - 13.5) / 10.0);
            let mut counts = [0; 20];
            ticks
                .iter()
                .for_each(|tick| counts[(tick - 4).clamp(0, 19) as usize] += 1);
            same(("counts", n), &program.counts(&x).unwrap(), &counts);

            let (a, b) = (numbers.integers(n, 6), numbers.integers(n, 7));
            let mut table = [[0; 7]; 6];
            a.iter()
                .zip(&b)
                .for_each(|(a, b)| table[*a as usize][*b as usize] += 1);
            let (mut information, size) = (0.0, n as f64);
            for (i, row) in table.iter().enumerate() {
                for (j, count) in row.iter().enumerate().filter(|(_, count)| **count > 0) {
                    let across: i32 = row.iter().sum();
                    let down: i32 = table.iter().map(|row| row[j]).sum();
                    let ratio = f64::from(*count) * size / f64::from(across * down);
                    information += f64::from(table[i][j]) / size * ratio.ln();
                }
            }
            let found = program.joint(&a, &b).unwrap();
            same(("joint", n), &found.0, table.as_flattened());
            close(("information", n), &found.1, &[information], 1e-13);

            let (x, places) = (numbers.array(n).mapv(f64::from), numbers.integers(n, 8));
            let of = |k: i32| (0..n).filter(|i| places[*i] == k).collect::<Vec<_>>();
            let groups: Vec<_> = (0..8).map(of).collect();
            let found = program.segments(&x, &places).unwrap();
            let counts: Vec<_> = groups.iter().map(|rows| rows.len() as i32).collect();
            same(("count", n), &found.0, &counts);
            let sum = |rows: &Vec<usize>| rows.iter().map(|i| x[*i]).sum::<f64>();
            let sums: Vec<_> = groups.iter().map(sum).collect();
            close(("sums", n), &found.1, &sums, 1e-13);
            let means: Vec<_> = groups
                .iter()
                .map(|rows| sum(rows) / rows.len().max(1) as f64)
                .collect();
            close(("means", n), &found.2, &means, 1e-13);
            let largest = |rows: &Vec<usize>| rows.iter().map(|i| x[*i]).fold(-1e300, f64::max);
            same(
                ("largest", n),
                &found.3,
                &groups.iter().map(largest).collect::<Vec<_>>(),
            );
            let smallest = |rows: &Vec<usize>| rows.iter().map(|i| x[*i]).fold(1e300, f64::min);
            same(
                ("smallest", n),
                &found.4,
                &groups.iter().map(smallest).collect::<Vec<_>>(),
            );

            for f in [1, 5] {
                let x = numbers.array((n, f));
                let mut right = vec![];
                for i in 0..n {
                    let rows = &groups[places[i] as usize];
                    for j in 0..f {
                        let sum: f64 = rows.iter().map(|i| f64::from(x[(*i, j)])).sum();
                        right.push(f64::from(x[(i, j)]) - sum / rows.len() as f64);
                    }
                }
                let within = (n + 4) as f64 * ROUND;
                close(
                    ("centered", n, f),
                    &program.centered(&x, &places).unwrap(),
                    &right,
                    within,
                );
            }
        });
    });
}

/// Matrices by their entries.
#[program]
mod matrices {
    pub struct Entries<const E: usize> {
        pub rows: Tensor<i32, E>,
        pub columns: Tensor<i32, E>,
        pub values: Tensor<f64, E>,
    }

    pub struct Matrices;

    impl Matrices {
        pub fn times<const E: usize, const N: usize>(
            &self,
            a: Entries<E>,
            x: Tensor<f64, N>,
        ) -> Tensor<f64, N> {
            zeros_like(x).scatter_add(a.rows, a.values * x.take(a.columns, 0), 0)
        }

        /// Solves a symmetric positive definite system by conjugate gradients.
        pub fn solve<const E: usize, const N: usize>(
            &self,
            a: Entries<E>,
            b: Tensor<f64, N>,
        ) -> (Tensor<f64, N>, Tensor<i32>) {
            let mut x = zeros_like(b);
            let (mut r, mut p) = (b, b);
            let mut rr = r.dot(r);
            let mut rounds = 0;
            while (rr > 1e-24) & (rounds < 200) {
                let ap = self.times(a, p);
                let alpha = rr / p.dot(ap);
                x += p * alpha;
                r -= ap * alpha;
                let next = r.dot(r);
                p = r + p * (next / rr);
                rr = next;
                rounds += 1;
            }
            (x, rounds)
        }

        pub fn dense<const E: usize>(&self, a: Entries<E>) -> Tensor<f64, 9, 9> {
            zeros::<f64, 81>()
                .scatter_add(a.rows * 9 + a.columns, a.values, 0)
                .reshape([9, 9])
        }
    }
}

/// A symmetric matrix with a large diagonal, and its entries.
fn symmetric(
    device: &Device,
    n: usize,
) -> (Array2<f64>, matrices::Entries<{ iree_dsl::RUN_TIME }>) {
    let mut numbers = Numbers::new(n as u64 + 1);
    let mut dense = Array2::<f64>::eye(n) * 4.0;
    let mut entries: Vec<(i32, i32, f64)> = (0..n as i32).map(|i| (i, i, 4.0)).collect();
    for _ in 0..2 * n {
        let (i, j) = (numbers.below(n), numbers.below(n));
        let value = f64::from(numbers.number(-0.3, 0.3));
        if i != j {
            dense[(i, j)] += value;
            dense[(j, i)] += value;
            entries.push((i as i32, j as i32, value));
            entries.push((j as i32, i as i32, value));
        }
    }
    let entries = matrices::Entries::upload(
        device,
        &entries.iter().map(|entry| entry.0).collect::<Array1<i32>>(),
        &entries.iter().map(|entry| entry.1).collect::<Array1<i32>>(),
        &entries.iter().map(|entry| entry.2).collect::<Array1<f64>>(),
    )
    .unwrap();
    (dense, entries)
}

fn product(a: &Array2<f64>, x: &Array1<f64>) -> Array1<f64> {
    let row = |row: ndarray::ArrayView1<'_, f64>| row.iter().zip(x).map(|(a, x)| a * x).sum();
    a.rows().into_iter().map(row).collect()
}

#[test]
fn entries_make_matrices() {
    on_devices(|device| {
        let program = matrices::Matrices::load(device).unwrap();
        at_sizes(device, &[1, 2, 9, 50], |n| {
            let (dense, entries) = symmetric(device, n);
            let x = Numbers::new(n as u64 + 2).array(n).mapv(f64::from);
            let found = program.times(&entries, &x).unwrap();
            close(("times", n), &found, &product(&dense, &x).to_vec(), 1e-14);
            if n == 9 {
                let right: Vec<f64> = dense.iter().copied().collect();
                close("dense", &program.dense(&entries).unwrap(), &right, 1e-15);
            }
        });
    });
}

#[test]
fn conjugate_gradients_solve() {
    on_devices(|device| {
        let program = matrices::Matrices::load(device).unwrap();
        at_sizes(device, &[1, 2, 9, 50], |n| {
            let (dense, entries) = symmetric(device, n);
            let x = Numbers::new(n as u64 + 2).array(n).mapv(f64::from);
            // What the solver is given is the product, so what it finds is the factor.
            let (found, rounds) = program.solve(&entries, &product(&dense, &x)).unwrap();
            close(("solve", n), &found, &x.to_vec(), 1e-11);
            assert!((1..=n as i32 + 5).contains(&rounds.to_scalar().unwrap()));
        });
    });
}
