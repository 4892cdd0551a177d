//! Groups of points that lie near each other.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::Array2;

/// Lloyd's algorithm.
#[program]
mod k_means {
    pub struct KMeans;

    impl KMeans {
        pub fn distances<const N: usize>(&self, x: Tensor<f32, N, 3>) -> Tensor<f32, N, N> {
            let n = (x * x).sum_axis(1);
            n.insert_axis(1) + n.insert_axis(0) - x.dot(x.t()) * 2.0
        }

        /// Of as many points as are known while building.
        pub fn distances_of_sixty_four(&self, x: Tensor<f32, 64, 3>) -> Tensor<f32, 64, 64> {
            let n = (x * x).sum_axis(1);
            n.insert_axis(1) + n.insert_axis(0) - x.dot(x.t()) * 2.0
        }

        pub fn distances_of_seven(&self, x: Tensor<f32, 7, 3>) -> Tensor<f32, 7, 7> {
            self.distances(x)
        }

        pub fn assign<const N: usize, const K: usize>(
            &self,
            x: Tensor<f32, N, 3>,
            centers: Tensor<f32, K, 3>,
        ) -> Tensor<i32, N> {
            let a = (x * x).sum_axis(1).insert_axis(1);
            let b = (centers * centers).sum_axis(1).insert_axis(0);
            (a + b - x.dot(centers.t()) * 2.0).argmin_axis(1)
        }

        /// The centers after some rounds, and how far the points are from them.
        pub fn fit<const N: usize>(
            &self,
            x: Tensor<f32, N, 3>,
            first: Tensor<f32, 4, 3>,
            rounds: Tensor<i32>,
        ) -> (Tensor<f32, 4, 3>, Tensor<i32, N>, Tensor<f32>) {
            let mut centers = first;
            for _ in range(0, rounds) {
                let labels = self.assign(x, centers);
                let members = labels.one_hot::<f32, 4>();
                let counts = members.sum_axis(0);
                let means = members.t().dot(x) / counts.maximum(1.0).insert_axis(1);
                centers = select((counts > 0.0).insert_axis(1), means, centers);
            }
            let labels = self.assign(x, centers);
            let gaps = x - centers.take(labels, 0);
            (centers, labels, (gaps * gaps).sum())
        }
    }
}

/// Points around four corners, which are far from each other.
fn corners(n: usize) -> Array2<f32> {
    let mut numbers = Numbers::new(n as u64);
    let corner = [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0], [-4.0; 3]];
    Array2::from_shape_fn((n, 3), |(i, j)| {
        corner[i % 4][j] + numbers.number(-1.0, 1.0)
    })
}

fn gap(a: impl Fn(usize) -> f64, b: impl Fn(usize) -> f64, width: usize) -> f64 {
    (0..width).map(|j| (a(j) - b(j)).powi(2)).sum()
}

#[test]
fn k_means_finds_corners() {
    on_devices(|device| {
        let program = k_means::KMeans::load(device).unwrap();
        at_sizes(device, &[1, 2, 7, 64, 129], |n| {
            let x = corners(n);
            let at = |i: usize| {
                let row = x.row(i);
                move |j: usize| f64::from(row[j])
            };
            let distances: Vec<_> = (0..n * n).map(|k| gap(at(k / n), at(k % n), 3)).collect();
            // Norms and products are below 50, with 3 roundings each, and the sums have 2.
            let found = program.distances(&x).unwrap();
            let within = 50.0 * 10.0 * ROUND;
            close(("distances", n), &found, &distances, within);
            if n == 64 {
                close(
                    "of 64",
                    &program.distances_of_sixty_four(&x).unwrap(),
                    &distances,
                    within,
                );
            }
            if n == 7 {
                close(
                    "of 7",
                    &program.distances_of_seven(&x).unwrap(),
                    &distances,
                    within,
                );
            }

            let first = Array2::from_shape_fn((4, 3), |(i, j)| if j == i { 3.0 } else { -0.5 });
            for rounds in [0, 1, 5] {
                let mut centers = first.mapv(f64::from);
                let nearest = |centers: &Array2<f64>, i: usize| {
                    (0..4)
                        .min_by(|a, b| {
                            let to = |k: usize| gap(at(i), |j| centers[(k, j)], 3);
                            to(*a).total_cmp(&to(*b))
                        })
                        .unwrap()
                };
                for _ in 0..rounds {
                    let labels: Vec<_> = (0..n).map(|i| nearest(&centers, i)).collect();
                    for k in 0..4 {
                        let members: Vec<_> = (0..n).filter(|i| labels[*i] == k).collect();
                        for j in 0..3 {
                            if !members.is_empty() {
                                let sum: f64 = members.iter().map(|i| at(*i)(j)).sum();
                                centers[(k, j)] = sum / members.len() as f64;
                            }
                        }
                    }
                }
                let labels: Vec<_> = (0..n).map(|i| nearest(&centers, i) as i32).collect();
                let inertia = (0..n).map(|i| gap(at(i), |j| centers[(labels[i] as usize, j)], 3));
                let found = program.fit(&x, &first, rounds).unwrap();
                same(("labels", n, rounds), &found.1, &labels);
                // Sums of up to 33 numbers below 5.
                let right: Vec<_> = centers.iter().copied().collect();
                close(("centers", n, rounds), &found.0, &right, 40.0 * ROUND);
                close(
                    ("inertia", n, rounds),
                    &found.2,
                    &[inertia.sum()],
                    64.0 * ROUND,
                );
            }
        });
    });
}

/// Principal components by power iteration.
#[program]
mod components {
    pub struct Components;

    impl Components {
        pub fn covariance<const N: usize>(&self, x: Tensor<f32, N, 5>) -> Tensor<f32, 5, 5> {
            let centered = x - x.mean_axis(0);
            centered.t().dot(centered) / N as f32
        }

        /// The directions of the largest variance, one after the other, and the points along them.
        pub fn fit<const N: usize>(
            &self,
            x: Tensor<f32, N, 5>,
        ) -> (Tensor<f32, 2, 5>, Tensor<f32, 2>, Tensor<f32, N, 2>) {
            let mut c = self.covariance(x);
            let mut directions = zeros::<f32, 2, 5>();
            let mut variances = zeros::<f32, 2>();
            for k in range(0, 2) {
                let mut v = full::<f32, 5>(0.2) + arange::<f32, 5>() * 0.1;
                for _ in range(0, 100) {
                    let w = c.dot(v);
                    v = w / w.dot(w).sqrt().maximum(1e-30);
                }
                let variance = v.dot(c.dot(v));
                directions[k] = v;
                variances[k] = variance;
                c -= v.outer(v) * variance;
            }
            let centered = x - x.mean_axis(0);
            (directions, variances, centered.dot(directions.t()))
        }
    }
}

#[test]
fn components_are_those_of_the_covariance() {
    on_devices(|device| {
        let program = components::Components::load(device).unwrap();
        at_sizes(device, &[3, 17, 100], |n| {
            let mut numbers = Numbers::new(n as u64);
            let spread = [8.0, 3.0, 0.5, 0.4, 0.3];
            let x = Array2::from_shape_fn((n, 5), |(_, j)| spread[j] * numbers.number(-1.0, 1.0));
            let mean = |j: usize| (0..n).map(|i| f64::from(x[(i, j)])).sum::<f64>() / n as f64;
            let centered = |i: usize, j: usize| f64::from(x[(i, j)]) - mean(j);
            let mut c = [[0.0; 5]; 5];
            for (a, row) in c.iter_mut().enumerate() {
                for (b, c) in row.iter_mut().enumerate() {
                    *c = (0..n).map(|i| centered(i, a) * centered(i, b)).sum::<f64>() / n as f64;
                }
            }
            let found = program.covariance(&x).unwrap();
            // Products below 256 of differences with n roundings.
            close(
                ("covariance", n),
                &found,
                c.as_flattened(),
                4.0 * n as f64 * ROUND,
            );

            let (directions, variances, along) = program.fit(&x).unwrap();
            let (mut right, mut large, mut points) = (vec![], vec![], vec![0.0; 2 * n]);
            for k in 0..2 {
                let mut v = [0.2, 0.3, 0.4, 0.5, 0.6];
                let product = |c: &[[f64; 5]; 5], v: [f64; 5]| {
                    c.map(|row| row.iter().zip(v).map(|(c, v)| c * v).sum::<f64>())
                };
                for _ in 0..100 {
                    let w = product(&c, v);
                    let norm = w.iter().map(|w| w * w).sum::<f64>().sqrt();
                    v = w.map(|w| w / norm);
                }
                let variance: f64 = v.iter().zip(product(&c, v)).map(|(v, w)| v * w).sum();
                for (a, row) in c.iter_mut().enumerate() {
                    row.iter_mut()
                        .zip(v)
                        .for_each(|(c, w)| *c -= variance * v[a] * w);
                }
                for i in 0..n {
                    points[2 * i + k] = (0..5).map(|j| centered(i, j) * v[j]).sum();
                }
                right.extend(v);
                large.push(variance);
            }
            // The direction of the second one has the error of the first, times the ratio of the variances.
            let within = 200.0 * (n as f64).max(20.0) * ROUND;
            close(("directions", n), &directions, &right, within);
            close(("variances", n), &variances, &large, within);
            close(("along", n), &along, &points, 8.0 * within);
        });
    });
}

/// Which rows point in the direction of which others.
#[program]
mod neighbours {
    pub struct Neighbours;

    impl Neighbours {
        pub fn cosine<const N: usize>(&self, x: Tensor<f32, N, 6>) -> Tensor<f32, N, N> {
            let n = (x * x).sum_axis(1);
            x.dot(x.t()) / n.sqrt().outer(n.sqrt())
        }

        pub fn cosine_of_thirty_three(&self, x: Tensor<f32, 33, 6>) -> Tensor<f32, 33, 33> {
            let n = (x * x).sum_axis(1);
            x.dot(x.t()) / n.sqrt().outer(n.sqrt())
        }

        /// The three nearest other rows of each.
        pub fn nearest<const N: usize>(
            &self,
            x: Tensor<f32, N, 6>,
        ) -> (Tensor<f32, N, 3>, Tensor<i32, N, 3>) {
            let similarity = self.cosine(x);
            let same = iota::<i32, N, N>(0) == iota::<i32, N, N>(1);
            select(same, -2.0, similarity).top_k(3)
        }

        /// What the nearest row of a query is labelled with.
        pub fn classify<const Q: usize, const N: usize>(
            &self,
            queries: Tensor<f32, Q, 6>,
            x: Tensor<f32, N, 6>,
            labels: Tensor<i32, N>,
        ) -> Tensor<i32, Q> {
            let unit = x / (x * x).sum_axis(1).sqrt().insert_axis(1);
            labels.take(queries.dot(unit.t()).argmax_axis(1), 0)
        }
    }
}

#[test]
fn neighbours_are_those_with_the_smallest_angle() {
    on_devices(|device| {
        let program = neighbours::Neighbours::load(device).unwrap();
        at_sizes(device, &[4, 5, 33, 100], |n| {
            let mut numbers = Numbers::new(n as u64 + 1);
            let x = numbers.array((n, 6));
            let queries = numbers.array((n / 2 + 1, 6));
            let labels = numbers.integers(n, 3);
            let cosine = |a: ndarray::ArrayView1<'_, f32>, b: ndarray::ArrayView1<'_, f32>| {
                let dot = |a: &ndarray::ArrayView1<'_, f32>, b: &ndarray::ArrayView1<'_, f32>| {
                    (0..6)
                        .map(|j| f64::from(a[j]) * f64::from(b[j]))
                        .sum::<f64>()
                };
                dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()
            };
            let right: Vec<_> = (0..n * n)
                .map(|k| cosine(x.row(k / n), x.row(k % n)))
                .collect();
            // Sums of 6 products, two roots, a product and a division, of at most 1.
            let within = 24.0 * ROUND;
            close(("cosine", n), &program.cosine(&x).unwrap(), &right, within);
            if n == 33 {
                close(
                    "of 33",
                    &program.cosine_of_thirty_three(&x).unwrap(),
                    &right,
                    within,
                );
            }

            let (mut similar, mut places) = (vec![], vec![]);
            for i in 0..n {
                let mut others: Vec<_> = (0..n).filter(|j| *j != i).collect();
                others.sort_by(|a, b| right[i * n + b].total_cmp(&right[i * n + a]));
                similar.extend(others[..3].iter().map(|j| right[i * n + j]));
                places.extend(others[..3].iter().map(|j| *j as i32));
            }
            let found = program.nearest(&x).unwrap();
            close(("similar", n), &found.0, &similar, within);
            same(("places", n), &found.1, &places);

            let classes: Vec<_> = queries
                .rows()
                .into_iter()
                .map(|query| {
                    let nearest = (0..n).max_by(|a, b| {
                        cosine(query, x.row(*a)).total_cmp(&cosine(query, x.row(*b)))
                    });
                    labels[nearest.unwrap()]
                })
                .collect();
            same(
                ("classes", n),
                &program.classify(&queries, &x, &labels).unwrap(),
                &classes,
            );
        });
    });
}

/// Groups of points that are joined by dense places.
#[program]
mod density {
    pub struct Density;

    impl Density {
        /// The number of the first dense point of each point's group, -1 for those that belong to none.
        pub fn groups<const N: usize>(
            &self,
            x: Tensor<f32, N, 2>,
            radius: Tensor<f32>,
            least: Tensor<i32>,
        ) -> (Tensor<i32, N>, Tensor<bool, N>, Tensor<i32>) {
            let d = x.insert_axis(1) - x.insert_axis(0);
            let near = (d * d).sum_axis(-1) <= radius * radius;
            let dense = (near as i32).sum_axis(1) >= least;
            let joined = near & dense.insert_axis(0);

            let mut labels = select(dense, arange::<i32, N>(), N as i32);
            let mut rounds = 0;
            loop {
                let reached = select(joined, labels.insert_axis(0), N as i32).min_axis(1);
                let next = select(dense, reached.minimum(labels), labels);
                rounds += 1;
                if (next == labels).all() {
                    break;
                }
                labels = next;
            }
            let found = select(joined, labels.insert_axis(0), N as i32).min_axis(1);
            (select(found == N as i32, -1, found), dense, rounds)
        }
    }
}

#[test]
fn dense_points_are_joined() {
    on_devices(|device| {
        let program = density::Density::load(device).unwrap();
        at_sizes(device, &[1, 2, 15, 80], |n| {
            let mut numbers = Numbers::new(n as u64 + 2);
            // On a grid, so that squares of distances are exact.
            let x = Array2::from_shape_simple_fn((n, 2), || numbers.below(24) as f32);
            let (radius, least) = (3.0, 4);
            let near = |i: usize, j: usize| {
                let d = [x[(i, 0)] - x[(j, 0)], x[(i, 1)] - x[(j, 1)]];
                d[0] * d[0] + d[1] * d[1] <= radius * radius
            };
            let dense: Vec<_> = (0..n)
                .map(|i| (0..n).filter(|j| near(i, *j)).count() >= least)
                .collect();
            // Each group is filled from its first dense point.
            let mut group = vec![-1; n];
            for first in 0..n {
                if dense[first] && group[first] < 0 {
                    let mut waiting = vec![first];
                    while let Some(i) = waiting.pop() {
                        if group[i] < 0 {
                            group[i] = first as i32;
                            waiting.extend((0..n).filter(|j| dense[*j] && near(i, *j)));
                        }
                    }
                }
            }
            let right: Vec<_> = (0..n)
                .map(|i| {
                    let groups = (0..n)
                        .filter(|j| dense[*j] && near(i, *j))
                        .map(|j| group[j]);
                    groups.min().unwrap_or(-1)
                })
                .collect();
            let found = program.groups(&x, radius, least as i32).unwrap();
            same(("groups", n), &found.0, &right);
            same(("dense", n), &found.1, &dense);
            assert!(found.2.to_scalar().unwrap() >= 1);
        });
    });
}
