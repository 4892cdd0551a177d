//! What signals and images are made of.

use crate::common::{cases, close, flat, same, wide};
use iree_dsl::prelude::*;
use ndarray::{Array2, ArrayView1};

/// Haar's wavelets.
#[program]
mod haar {
    pub struct Haar;

    impl Haar {
        /// All levels of rows of 32 numbers.
        pub fn forward<const N: usize>(&self, x: Tensor<f32, N, 32>) -> Tensor<f32, N, 32> {
            let mut y = x;
            let mut n = 32;
            while n > 1 {
                let even = y[s![.., ..n;2]];
                let odd = y[s![.., 1..n;2]];
                y[s![.., ..n / 2]] = (even + odd) * 0.5_f32.sqrt();
                y[s![.., n / 2..n]] = (even - odd) * 0.5_f32.sqrt();
                n /= 2;
            }
            y
        }

        pub fn inverse<const N: usize>(&self, x: Tensor<f32, N, 32>) -> Tensor<f32, N, 32> {
            let mut y = x;
            let mut n = 2;
            while n <= 32 {
                let sum = y[s![.., ..n / 2]];
                let difference = y[s![.., n / 2..n]];
                y[s![.., ..n;2]] = (sum + difference) * 0.5_f32.sqrt();
                y[s![.., 1..n;2]] = (sum - difference) * 0.5_f32.sqrt();
                n *= 2;
            }
            y
        }

        /// Small coefficients are set to zero; how many are left.
        pub fn denoise<const N: usize>(
            &self,
            x: Tensor<f32, N, 32>,
            limit: Tensor<f32>,
        ) -> (Tensor<f32, N, 32>, Tensor<i64>) {
            let c = self.forward(x);
            let keep = c.abs() > limit;
            (self.inverse(select(keep, c, 0.0)), (keep as i64).sum())
        }
    }
}

#[test]
fn haar_wavelets() {
    cases(&[0usize, 1, 3, 10], |device, n, r| {
        let p = haar::Haar::load(device).unwrap();
        let x = r.array((n, 32));
        let h = 0.5f64.sqrt();
        let fwd = |row: ArrayView1<f64>| {
            let mut y = row.to_vec();
            let mut n = 32;
            while n > 1 {
                let o = y.clone();
                for i in 0..n / 2 {
                    y[i] = (o[2 * i] + o[2 * i + 1]) * h;
                    y[n / 2 + i] = (o[2 * i] - o[2 * i + 1]) * h;
                }
                n /= 2;
            }
            y
        };
        let inv = |row: &[f64]| {
            let mut y = row.to_vec();
            let mut n = 2;
            while n <= 32 {
                let o = y.clone();
                for i in 0..n / 2 {
                    y[2 * i] = (o[i] + o[n / 2 + i]) * h;
                    y[2 * i + 1] = (o[i] - o[n / 2 + i]) * h;
                }
                n *= 2;
            }
            y
        };
        let (mut f, mut d, mut kept) = (vec![], vec![], 0i64);
        for row in wide(&x).rows() {
            let c = fwd(row);
            f.extend(&c);
            let z: Vec<f64> = c
                .iter()
                .map(|c| {
                    if c.abs() > 0.35 {
                        kept += 1;
                        *c
                    } else {
                        0.0
                    }
                })
                .collect();
            d.extend(inv(&z));
        }
        let y = p.forward(&x).unwrap();
        close(("haar", n), &y, &f, 1e-6);
        close(("back", n), &p.inverse(&y).unwrap(), &flat(&wide(&x)), 1e-6);
        let (found, count) = p.denoise(&x, 0.35).unwrap();
        close(("denoise", n), &found, &d, 1e-6);
        assert_eq!(count.to_scalar().unwrap(), kept);
    });
}

/// Boxes that overlap better ones are left out.
#[program]
mod suppression {
    pub struct Boxes<const N: usize> {
        pub corners: Tensor<f32, N, 4>,
        pub scores: Tensor<f32, N>,
    }
    pub struct Suppression;

    impl Suppression {
        pub fn overlaps<const N: usize, const M: usize>(
            &self,
            a: Tensor<f32, N, 4>,
            b: Tensor<f32, M, 4>,
        ) -> Tensor<f32, N, M> {
            let a = a.insert_axis(1);
            let low = a[s![.., .., ..2]].maximum(b[s![.., ..2]]);
            let high = a[s![.., .., 2..]].minimum(b[s![.., 2..]]);
            let both = (high - low).maximum(0.0).prod_axis(-1);
            let of_a = (a[s![.., .., 2..]] - a[s![.., .., ..2]]).prod_axis(-1);
            let of_b = (b[s![.., 2..]] - b[s![.., ..2]]).prod_axis(-1);
            both / (of_a + of_b - both)
        }

        /// Which boxes are kept, and their places, the best first, with -1 behind them.
        pub fn keep<const N: usize>(
            &self,
            boxes: Boxes<N>,
            limit: Tensor<f32>,
        ) -> (Tensor<bool, N>, Tensor<i32, N>, Tensor<i32>) {
            let order = (-boxes.scores).argsort(0);
            let sorted = boxes.corners.take(order, 0);
            let near = self.overlaps(sorted, sorted) > limit;
            let mut alive = ones::<bool, N>();
            for i in 0..N {
                let behind = arange::<i32, N>() > i as i32;
                alive &= !(near[i] & behind & alive[i]);
            }
            let keep = zeros::<bool, N>().scatter(order, alive, 0);
            let count = (alive as i32).sum();
            let rank = select(alive, (alive as i32).cumsum(0) - 1, -1);
            let places = full::<i32, N>(-1).scatter(rank, order, 0);
            (keep, places, count)
        }
    }
}

#[test]
fn non_maximum_suppression() {
    cases(&[0usize, 1, 2, 12, 40], |device, n, r| {
        let p = suppression::Suppression::load(device).unwrap();
        let b = Array2::from_shape_fn((n, 4), |_| 0.0f32);
        let mut b = b;
        for i in 0..n {
            let (x, y) = (r.number(0.0, 6.0), r.number(0.0, 6.0));
            b[(i, 0)] = x;
            b[(i, 1)] = y;
            b[(i, 2)] = x + r.number(1.0, 3.0);
            b[(i, 3)] = y + r.number(1.0, 3.0);
        }
        let scores = r.array(n);
        let iou = |i: usize, j: usize| {
            let w = (b[(i, 2)].min(b[(j, 2)]) - b[(i, 0)].max(b[(j, 0)])).max(0.0) as f64;
            let h = (b[(i, 3)].min(b[(j, 3)]) - b[(i, 1)].max(b[(j, 1)])).max(0.0) as f64;
            let a = |i: usize| (b[(i, 2)] - b[(i, 0)]) as f64 * (b[(i, 3)] - b[(i, 1)]) as f64;
            w * h / (a(i) + a(j) - w * h)
        };
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|i, j| scores[*j].total_cmp(&scores[*i]));
        let mut kept: Vec<usize> = vec![];
        for i in order {
            if kept.iter().all(|j| iou(i, *j) <= 0.2) {
                kept.push(i);
            }
        }
        let boxes = suppression::Boxes::upload(device, &b, &scores).unwrap();
        let (k, pl, c) = p.keep(&boxes, 0.2).unwrap();
        same(
            ("keep", n),
            &k,
            &(0..n).map(|i| kept.contains(&i)).collect::<Vec<_>>(),
        );
        let mut places: Vec<i32> = kept.iter().map(|i| *i as i32).collect();
        places.resize(n, -1);
        same(("places", n), &pl, &places);
        assert_eq!(c.to_scalar().unwrap() as usize, kept.len());
        close(
            ("iou", n),
            &p.overlaps(&b, &b).unwrap(),
            &(0..n * n).map(|k| iou(k / n, k % n)).collect::<Vec<_>>(),
            1e-5,
        );
    });
}
