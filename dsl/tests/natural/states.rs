//! What is seen of states that are not.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array};

/// A point that moves, seen with noise: Kalman's filter, and Rauch, Tung and Striebel's smoother.
#[program]
mod kalman {
    pub struct Model {
        pub f: Tensor<f64, 4, 4>,
        pub h: Tensor<f64, 2, 4>,
        pub q: Tensor<f64, 4, 4>,
        pub r: Tensor<f64, 2, 2>,
    }

    pub struct Kalman;

    impl Kalman {
        /// The state at each time, of what was seen up to then, and its covariance.
        pub fn filter<const T: usize>(
            &self,
            m: Model,
            seen: Tensor<f64, T, 2>,
        ) -> (Tensor<f64, T, 4>, Tensor<f64, T, 4, 4>) {
            let start = (zeros::<f64, 4>(), eye::<f64, 4, 4>() * 10.0);
            let (_, all) = scan(start, seen, |(x, p), z| {
                let x = m.f.dot(x);
                let p = m.f.dot(p).dot(m.f.t()) + m.q;
                let s = m.h.dot(p).dot(m.h.t()) + m.r;
                let k = p.dot(m.h.t()).dot(s.inv());
                let x = x + k.dot(z - m.h.dot(x));
                let p = (eye::<f64, 4, 4>() - k.dot(m.h)).dot(p);
                ((x, p), (x, p))
            });
            all
        }

        /// The state at each time, of all that was seen.
        pub fn smooth<const T: usize>(
            &self,
            m: Model,
            seen: Tensor<f64, T, 2>,
        ) -> Tensor<f64, T, 4> {
            let (xs, ps) = self.filter(m, seen);
            let mut out = xs;
            let mut x = xs[-1];
            for back in range(1, T as i32) {
                let t = T as i32 - 1 - back;
                let ahead = m.f.dot(ps[t]).dot(m.f.t()) + m.q;
                let g = ahead.solve(m.f.dot(ps[t])).t();
                x = xs[t] + g.dot(x - m.f.dot(xs[t]));
                out[t] = x;
            }
            out
        }
    }
}

fn product(a: &Array2<f64>, b: &Array2<f64>) -> Array2<f64> {
    Array2::from_shape_fn((a.nrows(), b.ncols()), |(i, j)| {
        (0..b.nrows()).map(|k| a[(i, k)] * b[(k, j)]).sum()
    })
}

fn apply(a: &Array2<f64>, x: &[f64]) -> Vec<f64> {
    a.rows()
        .into_iter()
        .map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
        .collect()
}

/// The inverse by Gauss and Jordan, of matrices that need no pivots.
fn inverse(a: &Array2<f64>) -> Array2<f64> {
    let n = a.nrows();
    let (mut a, mut b) = (a.clone(), Array2::eye(n));
    for k in 0..n {
        let pivot = a[(k, k)];
        for j in 0..n {
            a[(k, j)] /= pivot;
            b[(k, j)] /= pivot;
        }
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[(i, k)];
            for j in 0..n {
                a[(i, j)] -= factor * a[(k, j)];
                b[(i, j)] -= factor * b[(k, j)];
            }
        }
    }
    b
}

#[test]
fn filters_follow_what_moves() {
    let f = array![
        [1.0, 0.0, 0.1, 0.0],
        [0.0, 1.0, 0.0, 0.1],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0]
    ];
    let h = array![[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
    let (q, r) = (Array2::<f64>::eye(4) * 0.01, array![[0.5, 0.1], [0.1, 0.3]]);
    on_devices(|device| {
        let program = kalman::Kalman::load(device).unwrap();
        let model = kalman::Model::upload(device, &f, &h, &q, &r).unwrap();
        at_sizes(device, &[1, 2, 5, 40], |t| {
            let seen = Numbers::new(t as u64).array((t, 2)).mapv(f64::from);
            let (mut x, mut p) = (vec![0.0; 4], Array2::eye(4) * 10.0);
            let (mut xs, mut ps) = (vec![], vec![]);
            for z in seen.rows() {
                x = apply(&f, &x);
                p = product(&product(&f, &p), &f.t().to_owned()) + &q;
                let ph = product(&p, &h.t().to_owned());
                let k = product(&ph, &inverse(&(product(&h, &ph) + &r)));
                let gap: Vec<_> = apply(&h, &x).iter().zip(z).map(|(x, z)| z - x).collect();
                x.iter_mut()
                    .zip(apply(&k, &gap))
                    .for_each(|(x, step)| *x += step);
                p = &p - &product(&product(&k, &h), &p);
                xs.push(x.clone());
                ps.push(p.clone());
            }
            let found = program.filter(model.clone(), &seen).unwrap();
            // Some 50 roundings a time, which the next ones forget.
            close(("x", t), &found.0, &xs.concat(), 1e-13);
            let right: Vec<f64> = ps.iter().flat_map(|p| p.iter().copied()).collect();
            close(("p", t), &found.1, &right, 1e-13);

            for time in (0..t - 1).rev() {
                let ahead = product(&product(&f, &ps[time]), &f.t().to_owned()) + &q;
                let g = product(&product(&ps[time], &f.t().to_owned()), &inverse(&ahead));
                let expected = apply(&f, &xs[time]);
                let gap: Vec<_> = xs[time + 1]
                    .iter()
                    .zip(&expected)
                    .map(|(a, b)| a - b)
                    .collect();
                let step = apply(&g, &gap);
                xs[time]
                    .iter_mut()
                    .zip(step)
                    .for_each(|(x, step)| *x += step);
            }
            let found = program.smooth(model.clone(), &seen).unwrap();
            close(("smooth", t), &found, &xs.concat(), 1e-12);
        });
    });
}

/// Hidden Markov models.
#[program]
mod markov {
    pub struct Markov;

    impl Markov {
        /// The logarithm of the likelihood of what was seen, and of each state at each time.
        pub fn forward<const T: usize, const S: usize, const O: usize>(
            &self,
            start: Tensor<f32, S>,
            change: Tensor<f32, S, S>,
            emit: Tensor<f32, S, O>,
            seen: Tensor<i32, T>,
        ) -> (Tensor<f32>, Tensor<f32, T, S>) {
            let first = start.ln() + emit.t().take(seen[0], 0).ln();
            let (last, rest) = scan(first, seen[s![1..]], |a, o| {
                let joined = a.insert_axis(1) + change.ln();
                let next = joined.logsumexp_axis(0) + emit.t().take(o, 0).ln();
                (next, next)
            });
            (
                last.logsumexp_axis(0),
                concatenate([first.insert_axis(0), rest], 0).log_softmax(1),
            )
        }

        /// The same with probabilities that are scaled.
        pub fn scaled<const T: usize>(
            &self,
            start: Tensor<f32, 3>,
            change: Tensor<f32, 3, 3>,
            emit: Tensor<f32, 3, 4>,
            seen: Tensor<i32, T>,
        ) -> Tensor<f32> {
            let mut a = start * emit[s![.., seen[0]]];
            let mut log = 0.0;
            for t in range(1, T as i32) {
                let scale = a.sum();
                log += scale.ln();
                a = (a / scale).dot(change) * emit[s![.., seen[t]]];
            }
            log + a.sum().ln()
        }

        /// The likeliest states, and the logarithm of their likelihood.
        pub fn viterbi<const T: usize>(
            &self,
            start: Tensor<f32, 3>,
            change: Tensor<f32, 3, 3>,
            emit: Tensor<f32, 3, 4>,
            seen: Tensor<i32, T>,
        ) -> (Tensor<i32, T>, Tensor<f32>) {
            let (change, emit) = (change.ln(), emit.ln());
            let mut best = start.ln() + emit[s![.., seen[0]]];
            let mut from = zeros::<i32, T, 3>();
            for t in range(1, T as i32) {
                let joined = best.insert_axis(1) + change;
                from[t] = joined.argmax_axis(0);
                best = joined.max_axis(0) + emit[s![.., seen[t]]];
            }
            let mut path = zeros::<i32, T>();
            let mut state = best.argmax_axis(0);
            path[-1] = state;
            for back in range(1, T as i32) {
                let t = T as i32 - back;
                state = from[(t, state)];
                path[t - 1] = state;
            }
            (path, best.max())
        }
    }
}

/// Rows of probabilities.
fn chances(numbers: &mut Numbers, shape: (usize, usize)) -> Array2<f32> {
    let mut p = Array2::from_shape_simple_fn(shape, || numbers.number(0.1, 1.0));
    for mut row in p.rows_mut() {
        let sum: f32 = row.iter().sum();
        row.mapv_inplace(|p| p / sum);
    }
    p
}

#[test]
fn hidden_states_are_found() {
    on_devices(|device| {
        let program = markov::Markov::load(device).unwrap();
        at_sizes(device, &[1, 2, 3, 10, 50], |t| {
            let mut numbers = Numbers::new(t as u64 + 1);
            let start = chances(&mut numbers, (1, 3)).remove_axis(ndarray::Axis(0));
            let (change, emit) = (chances(&mut numbers, (3, 3)), chances(&mut numbers, (3, 4)));
            let seen: Array1<i32> = numbers.integers(t, 4);
            let p = |x: f32| f64::from(x);
            let see = |state: usize, time: usize| p(emit[(state, seen[time] as usize)]);
            let mut a: Vec<f64> = (0..3).map(|s| p(start[s]) * see(s, 0)).collect();
            let mut best: Vec<(f64, Vec<i32>)> = (0..3).map(|s| (a[s], vec![s as i32])).collect();
            let mut shares = vec![];
            let share = |a: &[f64]| {
                let sum: f64 = a.iter().sum();
                a.iter().map(|a| (a / sum).ln()).collect::<Vec<_>>()
            };
            shares.extend(share(&a));
            for time in 1..t {
                a = (0..3)
                    .map(|s| (0..3).map(|r| a[r] * p(change[(r, s)])).sum::<f64>() * see(s, time))
                    .collect();
                shares.extend(share(&a));
                best = (0..3)
                    .map(|s| {
                        let to = |r: &usize| best[*r].0 * p(change[(*r, s)]);
                        let r = (0..3).max_by(|q, r| to(q).total_cmp(&to(r))).unwrap();
                        let mut path = best[r].1.clone();
                        path.push(s as i32);
                        (to(&r) * see(s, time), path)
                    })
                    .collect();
            }
            let log = a.iter().sum::<f64>().ln();
            // Logarithms of up to 80 are added for each time.
            let within = (4 * t + 16) as f64 * ROUND;
            let found = program.forward(&start, &change, &emit, &seen).unwrap();
            close(("forward", t), &found.0, &[log], within);
            close(("shares", t), &found.1, &shares, 80.0 * within);
            let found = program.scaled(&start, &change, &emit, &seen).unwrap();
            close(("scaled", t), &found, &[log], within);
            let (likely, path) = best.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            let found = program.viterbi(&start, &change, &emit, &seen).unwrap();
            same(("path", t), &found.0, &path);
            close(("likely", t), &found.1, &[likely.ln()], within);
        });
    });
}
