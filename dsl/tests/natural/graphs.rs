//! Graphs as matrices of edges.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::Array2;

/// Edges by chance: `a[(i, j)]` is one where an edge leads from `i` to `j`, none to itself.
pub(crate) fn edges(n: usize, seed: u64, both_ways: bool) -> Array2<f32> {
    let mut numbers = Numbers::new(n as u64 * 31 + seed);
    let mut a = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..n {
            if i != j && numbers.below(n.max(3)) < 3 {
                a[(i, j)] = 1.0;
                if both_ways {
                    a[(j, i)] = 1.0;
                }
            }
        }
    }
    a
}

/// How likely a reader is to be on each page.
#[program]
mod page_rank {
    pub struct PageRank;

    impl PageRank {
        pub fn rank<const N: usize>(
            &self,
            links: Tensor<f32, N, N>,
            damping: Tensor<f32>,
        ) -> (Tensor<f32, N>, Tensor<i32>) {
            let degree = links.sum_axis(1);
            let dangling = degree == 0.0;
            let p = links / select(dangling, 1.0, degree).insert_axis(1);
            let mut rank = full::<f32, N>(1.0 / N as f32);
            let mut rounds = 0;
            loop {
                let lost = select(dangling, rank, 0.0).sum();
                let next = (rank.dot(p) + lost / N as f32) * damping + (1.0 - damping) / N as f32;
                let change = (next - rank).abs().sum();
                rank = next;
                rounds += 1;
                if (change < 1e-6) | (rounds >= 200) {
                    break;
                }
            }
            (rank, rounds)
        }
    }
}

#[test]
fn pages_are_ranked() {
    on_devices(|device| {
        let program = page_rank::PageRank::load(device).unwrap();
        at_sizes(device, &[1, 2, 9, 60], |n| {
            let a = edges(n, 1, false);
            let mut rank = vec![1.0 / n as f64; n];
            for _ in 0..300 {
                let mut next = vec![0.15 / n as f64; n];
                for i in 0..n {
                    let out = a.row(i).iter().filter(|a| **a > 0.0).count();
                    for j in 0..n {
                        next[j] += 0.85
                            * match out {
                                0 => rank[i] / n as f64,
                                _ => rank[i] * f64::from(a[(i, j)]) / out as f64,
                            };
                    }
                }
                rank = next;
            }
            let (found, rounds) = program.rank(&a, 0.85).unwrap();
            // It stops where steps of 10⁻⁶ are left, which add up to 0.85 / 0.15 of them.
            close(("rank", n), &found, &rank, 1e-6 * 7.0);
            assert!(rounds.to_scalar().unwrap() < 200);
        });
    });
}

/// Two layers of graph convolution.
#[program]
mod convolution {
    pub struct Convolution;

    impl Convolution {
        /// Edges with a loop at each node, divided by the roots of the degrees.
        pub fn normalized<const N: usize>(&self, a: Tensor<f32, N, N>) -> Tensor<f32, N, N> {
            let a = a + eye::<f32, N, N>();
            let d = a.sum_axis(1).rsqrt();
            d.insert_axis(1) * a * d.insert_axis(0)
        }

        pub fn classify<const N: usize>(
            &self,
            a: Tensor<f32, N, N>,
            x: Tensor<f32, N, 5>,
            w1: Tensor<f32, 5, 8>,
            w2: Tensor<f32, 8, 3>,
        ) -> Tensor<f32, N, 3> {
            let a = self.normalized(a);
            let h = a.dot(x.dot(w1)).relu();
            a.dot(h.dot(w2)).softmax(-1)
        }

        /// The same with 20 nodes.
        pub fn classify_twenty(
            &self,
            a: Tensor<f32, 20, 20>,
            x: Tensor<f32, 20, 5>,
            w1: Tensor<f32, 5, 8>,
            w2: Tensor<f32, 8, 3>,
        ) -> Tensor<f32, 20, 3> {
            self.classify(a, x, w1, w2)
        }
    }
}

fn product(a: &Array2<f64>, b: &Array2<f64>) -> Array2<f64> {
    Array2::from_shape_fn((a.nrows(), b.ncols()), |(i, j)| {
        (0..b.nrows()).map(|k| a[(i, k)] * b[(k, j)]).sum()
    })
}

#[test]
fn nodes_learn_from_their_neighbours() {
    on_devices(|device| {
        let program = convolution::Convolution::load(device).unwrap();
        at_sizes(device, &[1, 3, 20, 57], |n| {
            let mut numbers = Numbers::new(n as u64);
            let a = edges(n, 2, true);
            let (x, w1, w2) = (
                numbers.array((n, 5)),
                numbers.array((5, 8)),
                numbers.array((8, 3)),
            );
            let degree = |i: usize| 1.0 + a.row(i).iter().map(|a| f64::from(*a)).sum::<f64>();
            let norm = Array2::from_shape_fn((n, n), |(i, j)| {
                let edge = f64::from(a[(i, j)]) + f64::from(u8::from(i == j));
                edge / (degree(i) * degree(j)).sqrt()
            });
            let right: Vec<_> = norm.iter().copied().collect();
            close(
                ("normalized", n),
                &program.normalized(&a).unwrap(),
                &right,
                8.0 * ROUND,
            );

            let h = product(&norm, &product(&x.mapv(f64::from), &w1.mapv(f64::from)));
            let logits = product(
                &norm,
                &product(&h.mapv(|h| h.max(0.0)), &w2.mapv(f64::from)),
            );
            let mut right = vec![];
            for row in logits.rows() {
                let sum: f64 = row.iter().map(|x| x.exp()).sum();
                right.extend(row.iter().map(|x| x.exp() / sum));
            }
            // Sums of 5, up to 10, 8 and up to 10 products of at most 4.
            let found = program.classify(&a, &x, &w1, &w2).unwrap();
            close(("classes", n), &found, &right, 4.0 * 40.0 * ROUND);
            if n == 20 {
                let found = program.classify_twenty(&a, &x, &w1, &w2).unwrap();
                close("classes of 20", &found, &right, 4.0 * 40.0 * ROUND);
            }
        });
    });
}

/// Shortest paths between all nodes.
#[program]
mod paths {
    pub struct Paths;

    impl Paths {
        /// By squaring in the algebra of minimum and plus.
        pub fn by_squares<const N: usize>(&self, w: Tensor<f32, N, N>) -> Tensor<f32, N, N> {
            let mut d = select(eye::<bool, N, N>(), 0.0, w);
            let mut length = 1;
            while length < N as i32 {
                d = (d.insert_axis(2) + d.insert_axis(0)).min_axis(1);
                length *= 2;
            }
            d
        }

        /// Floyd and Warshall's.
        pub fn by_nodes<const N: usize>(
            &self,
            w: Tensor<f32, N, N>,
        ) -> (Tensor<f32, N, N>, Tensor<i32, N, N>) {
            let mut d = select(eye::<bool, N, N>(), 0.0, w);
            let mut through = full::<i32, N, N>(-1);
            for k in range(0, N as i32) {
                let detour = d[s![.., k]].insert_axis(1) + d[k];
                through = select(detour < d, k, through);
                d = d.minimum(detour);
            }
            (d, through)
        }

        /// Bellman and Ford's, from one node.
        pub fn from_node<const N: usize>(
            &self,
            w: Tensor<f32, N, N>,
            start: Tensor<i32>,
        ) -> (Tensor<f32, N>, Tensor<i32>) {
            let mut d = select(arange::<i32, N>() == start, 0.0, full::<f32, N>(1.0 / 0.0));
            let mut rounds = 0;
            let mut changed = true;
            while changed {
                let next = d.minimum((d.insert_axis(1) + w).min_axis(0));
                changed = (next != d).any();
                d = next;
                rounds += 1;
            }
            (d, rounds)
        }
    }
}

#[test]
fn paths_are_shortest() {
    on_devices(|device| {
        let program = paths::Paths::load(device).unwrap();
        at_sizes(device, &[1, 2, 7, 40], |n| {
            let mut numbers = Numbers::new(n as u64 + 5);
            // Whole lengths, so that sums are exact.
            let w = edges(n, 3, false).mapv(|edge| match edge > 0.0 {
                true => 1.0 + numbers.below(9) as f32,
                false => f32::INFINITY,
            });
            let mut d = vec![f32::INFINITY; n * n];
            for start in 0..n {
                // Dijkstra's.
                let mut done = vec![false; n];
                d[start * n + start] = 0.0;
                for _ in 0..n {
                    let row = &mut d[start * n..][..n];
                    let open = (0..n).filter(|i| !done[*i]);
                    let i = open.min_by(|i, j| row[*i].total_cmp(&row[*j])).unwrap();
                    done[i] = true;
                    (0..n).for_each(|j| row[j] = row[j].min(row[i] + w[(i, j)]));
                }
            }
            same(("squares", n), &program.by_squares(&w).unwrap(), &d);
            let (found, through) = program.by_nodes(&w).unwrap();
            same(("nodes", n), &found, &d);
            for (k, through) in through.to_array().unwrap().iter().enumerate() {
                let (i, j) = (k / n, k % n);
                match usize::try_from(*through) {
                    Ok(via) => assert_eq!(d[i * n + via] + d[via * n + j], d[k]),
                    Err(_) => assert!(i == j || d[k] == w[(i, j)]),
                }
            }
            let start = n / 2;
            let (found, rounds) = program.from_node(&w, start as i32).unwrap();
            same(("from", n), &found, &d[start * n..][..n]);
            assert!(rounds.to_scalar().unwrap() <= n as i32);
        });
    });
}

/// How close the neighbours of nodes are to each other.
#[program]
mod triangles {
    pub struct Triangles;

    impl Triangles {
        /// How many triangles each node is in, and how many of its neighbours know each other.
        pub fn count<const N: usize>(
            &self,
            a: Tensor<f32, N, N>,
        ) -> (Tensor<f32, N>, Tensor<f32, N>) {
            let closed = (a.dot(a) * a).sum_axis(1) / 2.0;
            let degree = a.sum_axis(1);
            let pairs = degree * (degree - 1.0) / 2.0;
            (closed, select(pairs > 0.0, closed / pairs, 0.0))
        }
    }
}

#[test]
fn triangles_are_counted() {
    on_devices(|device| {
        let program = triangles::Triangles::load(device).unwrap();
        at_sizes(device, &[1, 4, 25, 66], |n| {
            let a = edges(n, 4, true);
            let (mut closed, mut clustered) = (vec![], vec![]);
            for i in 0..n {
                let near: Vec<_> = (0..n).filter(|j| a[(i, *j)] > 0.0).collect();
                let pairs = near.iter().flat_map(|j| near.iter().map(move |k| (*j, *k)));
                let pairs: Vec<_> = pairs.filter(|(j, k)| j < k).collect();
                let known = pairs.iter().filter(|pair| a[**pair] > 0.0).count() as f64;
                closed.push(known);
                clustered.push(if pairs.is_empty() {
                    0.0
                } else {
                    known / pairs.len() as f64
                });
            }
            let found = program.count(&a).unwrap();
            close(("triangles", n), &found.0, &closed, 0.0);
            close(("clustered", n), &found.1, &clustered, ROUND);
        });
    });
}
