//! Caches of keys, experts, states that fade, and labels without times.

use crate::common::{cases, close, flat, same, wide};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array3, Axis, concatenate, s};

/// Attention whose heads share keys and values, which the caller keeps, at rotating places.
#[program]
mod gqa {
    const HEADS: usize = 4;
    const GROUPS: usize = 2;
    const SIZE: usize = 8;

    pub struct Cache<const T: usize> {
        pub keys: Tensor<f32, T, GROUPS, SIZE>,
        pub values: Tensor<f32, T, GROUPS, SIZE>,
    }

    pub struct Attention {
        #[global(init = random::normal(random::key(1)) * 0.3)]
        query: Tensor<f32, 16, { HEADS * SIZE }>,
        #[global(init = random::normal(random::key(2)) * 0.3)]
        key: Tensor<f32, 16, { GROUPS * SIZE }>,
        #[global(init = random::normal(random::key(3)) * 0.3)]
        value: Tensor<f32, 16, { GROUPS * SIZE }>,
    }

    impl Attention {
        pub fn weights(
            &self,
        ) -> (
            Tensor<f32, 16, { HEADS * SIZE }>,
            Tensor<f32, 16, { GROUPS * SIZE }>,
            Tensor<f32, 16, { GROUPS * SIZE }>,
        ) {
            (self.query, self.key, self.value)
        }

        /// `N` more tokens behind `T` others.
        pub fn step<const T: usize, const N: usize>(
            &self,
            cache: Cache<T>,
            x: Tensor<f32, N, 16>,
        ) -> (Tensor<f32, N, { HEADS * SIZE }>, Cache<{ T + N }>) {
            let query = rotated(x.dot(self.query).reshape([N, HEADS, SIZE]), T);
            let key = rotated(x.dot(self.key).reshape([N, GROUPS, SIZE]), T);
            let value = x.dot(self.value).reshape([N, GROUPS, SIZE]);
            let keys = concatenate([cache.keys, key], 0);
            let values = concatenate([cache.values, value], 0);
            let query = query.reshape([N, GROUPS, HEADS / GROUPS, SIZE]);
            let scores = einsum!("nghd,tgd->ghnt", query, keys) / (SIZE as f32).sqrt();
            let place = arange::<i32, N>() + T as i32;
            let seen = iota::<i32, N, { T + N }>(1) <= place.insert_axis(1);
            let shares = select(seen, scores, f32::NEG_INFINITY).softmax(-1);
            let y = einsum!("ghnt,tgd->nghd", shares, values);
            (y.reshape([N, HEADS * SIZE]), Cache { keys, values })
        }
    }

    /// Rotary positions: pairs of the first and the second half turn by angles.
    #[kernel]
    fn rotated<const N: usize, const H: usize>(
        x: Tensor<f32, N, H, SIZE>,
        start: usize,
    ) -> Tensor<f32, N, H, SIZE> {
        let half = SIZE / 2;
        let rates = (arange::<f32, { SIZE / 2 }>() * (-(10000.0_f32.ln()) / half as f32)).exp();
        let place = arange::<f32, N>() + start as f32;
        let angles = place.outer(rates).insert_axis(1);
        let [a, b] = x.split(2, -1);
        concatenate(
            [
                a * angles.cos() - b * angles.sin(),
                b * angles.cos() + a * angles.sin(),
            ],
            -1,
        )
    }
}

#[test]
fn grouped_query_attention() {
    cases(&[1usize, 3, 7], |device, n, r| {
        let p = gqa::Attention::load(device).unwrap();
        let (wq, wk, wv) = p.weights().unwrap();
        let (wq, wk, wv) = (
            wide(&wq.to_array().unwrap()),
            wide(&wk.to_array().unwrap()),
            wide(&wv.to_array().unwrap()),
        );
        let mut cache =
            gqa::Cache::upload(device, &Array3::zeros((0, 2, 8)), &Array3::zeros((0, 2, 8)))
                .unwrap();
        let mut all: Array2<f64> = Array2::zeros((0, 16));
        for part in [n, 1, 2] {
            let x = r.array((part, 16));
            all = concatenate![Axis(0), all, wide(&x)];
            let (y, next) = p.step(cache, &x).unwrap();
            cache = next;
            let t = all.nrows();
            let rot = |x: Array2<f64>, heads: usize| {
                Array3::from_shape_fn((t, heads, 8), |(i, h, d)| {
                    let a = i as f64 * 10000f64.powf(-((d % 4) as f64) / 4.0);
                    let (u, v) = (x[(i, h * 8 + d % 4)], x[(i, h * 8 + 4 + d % 4)]);
                    if d < 4 {
                        u * a.cos() - v * a.sin()
                    } else {
                        v * a.cos() + u * a.sin()
                    }
                })
            };
            let (q, k, v) = (rot(all.dot(&wq), 4), rot(all.dot(&wk), 2), all.dot(&wv));
            let mut right = vec![];
            for i in t - part..t {
                for h in 0..4 {
                    let g = h / 2;
                    let e: Vec<f64> = (0..=i)
                        .map(|j| {
                            ((0..8).map(|d| q[(i, h, d)] * k[(j, g, d)]).sum::<f64>() / 8f64.sqrt())
                                .exp()
                        })
                        .collect();
                    let s: f64 = e.iter().sum();
                    for d in 0..8 {
                        right.push((0..=i).map(|j| e[j] / s * v[(j, g * 8 + d)]).sum());
                    }
                }
            }
            close(("gqa", n, part), &y, &right, 1e-5);
        }
        assert_eq!(cache.keys.shape(), [n + 3, 2, 8]);
    });
}

/// Tokens that two of five perceptrons work on.
#[program]
mod experts {
    pub struct Experts<const E: usize> {
        pub gate: Tensor<f32, 6, E>,
        pub up: Tensor<f32, E, 6, 12>,
        pub down: Tensor<f32, E, 12, 6>,
    }
    pub struct Moe;

    impl Moe {
        /// Each token by its two best experts; how many each expert had, and the loss that balances them.
        pub fn run<const N: usize>(
            &self,
            layer: Experts<5>,
            x: Tensor<f32, N, 6>,
        ) -> (Tensor<f32, N, 6>, Tensor<i32, 5>, Tensor<f32>) {
            let logits = x.dot(layer.gate);
            let (best, which) = logits.top_k(2);
            let shares = best.softmax(-1);
            let up = layer.up.take(which, 0);
            let down = layer.down.take(which, 0);
            let hidden = einsum!("nd,nkdf->nkf", x, up).silu();
            let y = einsum!("nk,nkf,nkfd->nd", shares, hidden, down);
            let load = zeros::<i32, 5>().scatter_add(which.flatten(), ones(), 0);
            let fraction = load as f32 / (2 * N as i32).maximum(1) as f32;
            let balance = 5.0 * (fraction * logits.softmax(-1).mean_axis(0)).sum();
            (y, load, balance)
        }

        /// The same by all experts, of which most count nothing.
        pub fn dense<const N: usize>(
            &self,
            layer: Experts<5>,
            x: Tensor<f32, N, 6>,
        ) -> Tensor<f32, N, 6> {
            let (best, which) = x.dot(layer.gate).top_k(2);
            let shares = (which.one_hot::<f32, 5>() * best.softmax(-1).insert_axis(-1)).sum_axis(1);
            let mut y = zeros();
            for e in 0..5 {
                let out = x.dot(layer.up[e]).silu().dot(layer.down[e]);
                y += shares[s![.., e]].insert_axis(1) * out;
            }
            y
        }
    }
}

#[test]
fn mixture_of_experts() {
    cases(&[1usize, 4, 19], |device, n, r| {
        let p = experts::Moe::load(device).unwrap();
        let (x, g, u, d) = (
            r.array((n, 6)),
            r.array((6, 5)),
            r.array((5, 6, 12)),
            r.array((5, 12, 6)),
        );
        let layer = experts::Experts::upload(device, &g, &u, &d).unwrap();
        let (y, load, balance) = p.run(&layer, &x).unwrap();
        let dense = p.dense(&layer, &x).unwrap();
        let logits = wide(&x).dot(&wide(&g));
        let mut right = Array2::<f64>::zeros((n, 6));
        let mut loads = [0i32; 5];
        let mut mean = [0f64; 5];
        for i in 0..n {
            let s: f64 = (0..5).map(|e| logits[(i, e)].exp()).sum();
            for e in 0..5 {
                mean[e] += logits[(i, e)].exp() / s / n as f64;
            }
            let mut o: Vec<usize> = (0..5).collect();
            o.sort_by(|a, b| logits[(i, *b)].total_cmp(&logits[(i, *a)]));
            let z = logits[(i, o[0])].exp() + logits[(i, o[1])].exp();
            for &e in &o[..2] {
                loads[e] += 1;
                let h = wide(&x)
                    .row(i)
                    .dot(&wide(&u).slice(s![e, .., ..]))
                    .mapv(|x| x / (1.0 + (-x).exp()));
                let o = h.dot(&wide(&d).slice(s![e, .., ..]));
                for j in 0..6 {
                    right[(i, j)] += logits[(i, e)].exp() / z * o[j];
                }
            }
        }
        close(("moe", n), &y, &flat(&right), 1e-5);
        close(("moe dense", n), &dense, &flat(&right), 1e-5);
        same(("load", n), &load, &loads);
        let b: f64 = 5.0
            * (0..5)
                .map(|e| loads[e] as f64 / (2 * n) as f64 * mean[e])
                .sum::<f64>();
        close(("balance", n), &balance, &[b], 1e-5);
    });
}

/// States that fade as the input says.
#[program]
mod mamba {
    pub struct Block<const D: usize, const N: usize> {
        pub a: Tensor<f32, D, N>,
        pub b: Tensor<f32, D, N>,
        pub c: Tensor<f32, D, N>,
        pub step: Tensor<f32, D, D>,
        pub bias: Tensor<f32, D>,
        pub skip: Tensor<f32, D>,
    }
    pub struct Mamba;

    impl Mamba {
        pub fn run<const B: usize, const T: usize>(
            &self,
            block: Block<6, 4>,
            start: Tensor<f32, B, 6, 4>,
            x: Tensor<f32, B, T, 6>,
        ) -> (Tensor<f32, B, T, 6>, Tensor<f32, B, 6, 4>) {
            let delta = (x.matmul(block.step) + block.bias).softplus();
            let input = x.matmul(block.b);
            let output = x.matmul(block.c);
            let times = |x| x.swap_axes(0, 1);
            let (state, y) = scan(
                start,
                (times(x), times(delta), times(input), times(output)),
                |state, (x, delta, b, c)| {
                    let delta = delta.insert_axis(-1);
                    let decay = (-delta * block.a.exp()).exp();
                    let next = decay * state + delta * b.insert_axis(1) * x.insert_axis(-1);
                    (
                        next,
                        (next * c.insert_axis(1)).sum_axis(-1) + block.skip * x,
                    )
                },
            );
            (y.swap_axes(0, 1), state)
        }
    }
}

#[test]
fn selective_states() {
    cases(
        &[(1usize, 0usize), (1, 1), (2, 7), (3, 20)],
        |device, (b, t), r| {
            let p = mamba::Mamba::load(device).unwrap();
            let w: Vec<Array2<f32>> = [(6, 4), (6, 4), (6, 4), (6, 6)]
                .map(|s| r.array(s) * 0.6)
                .to_vec();
            let (bias, skip, start, x) = (
                r.array(6),
                r.array(6),
                r.array((b, 6, 4)),
                r.array((b, t, 6)),
            );
            let block =
                mamba::Block::upload(device, &w[0], &w[1], &w[2], &w[3], &bias, &skip).unwrap();
            let (mut h, x64) = (wide(&start), wide(&x));
            let mut y = Array3::<f64>::zeros((b, t, 6));
            for n in 0..b {
                for i in 0..t {
                    let v = x64.slice(s![n, i, ..]);
                    let dt = (v.dot(&wide(&w[3])) + wide(&bias)).mapv(|x| (1.0 + x.exp()).ln());
                    let (bb, cc) = (v.dot(&wide(&w[1])), v.dot(&wide(&w[2])));
                    for d in 0..6 {
                        let mut s = skip[d] as f64 * v[d];
                        for k in 0..4 {
                            h[(n, d, k)] = (-dt[d] * (w[0][(d, k)] as f64).exp()).exp()
                                * h[(n, d, k)]
                                + dt[d] * bb[k] * v[d];
                            s += h[(n, d, k)] * cc[k];
                        }
                        y[(n, i, d)] = s;
                    }
                }
            }
            let (fy, fh) = p.run(&block, &start, &x).unwrap();
            close(("mamba", b, t), &fy, &flat(&y), 1e-5);
            close(("state", b, t), &fh, &flat(&h), 1e-5);
        },
    );
}

/// How likely labels are, of which it is not said when they come.
#[program]
mod ctc {
    pub struct Ctc;

    impl Ctc {
        /// The negative logarithm of the likelihood of labels, of which 0 is the blank.
        pub fn loss<const T: usize, const L: usize>(
            &self,
            logits: Tensor<f32, T, 6>,
            labels: Tensor<i32, L>,
        ) -> Tensor<f32> {
            let likely = logits.log_softmax(-1);
            let states = stack([zeros::<i32, L>(), labels], 1).flatten();
            let states = concatenate([states, zeros::<i32, 1>()], 0);
            let before = pad!(states, low = [2], high = [-2], value = -1);
            let skips = (states != 0) & (states != before);
            let place = arange::<i32, { 2 * L + 1 }>();
            let emitted = likely.take(states, 1);
            let first = select(place < 2, emitted[0], f32::NEG_INFINITY);
            let (last, _) = scan(first, emitted[s![1..]], |alpha, row| {
                let one = pad!(alpha, low = [1], high = [-1], value = f32::NEG_INFINITY);
                let two = pad!(alpha, low = [2], high = [-2], value = f32::NEG_INFINITY);
                let two = select(skips, two, f32::NEG_INFINITY);
                let next = stack([alpha, one, two], 0).logsumexp_axis(0) + row;
                (next, next.max())
            });
            -last[s![-2..]].logsumexp_axis(0)
        }
    }
}

#[test]
fn ctc_loss() {
    cases(&[(1, 1), (4, 2), (9, 3), (30, 11)], |device, (t, l), r| {
        let p = ctc::Ctc::load(device).unwrap();
        let logits = r.array((t, 6));
        let labels = Array1::from_shape_fn(l, |_| 1 + r.below(5) as i32);
        let z: Vec<i32> = (0..2 * l + 1)
            .map(|i| if i % 2 == 0 { 0 } else { labels[i / 2] })
            .collect();
        let prob = |t: usize, s: usize| {
            let row = logits.row(t).mapv(|x| f64::from(x).exp());
            row[z[s] as usize] / row.sum()
        };
        let mut a = vec![0f64; 2 * l + 1];
        a[0] = prob(0, 0);
        a[1] = prob(0, 1);
        for i in 1..t {
            let old = a.clone();
            for s in 0..a.len() {
                let mut v = old[s];
                if s > 0 {
                    v += old[s - 1];
                }
                if s > 1 && z[s] != 0 && z[s] != z[s - 2] {
                    v += old[s - 2];
                }
                a[s] = v * prob(i, s);
            }
        }
        let right = -(a[2 * l] + a[2 * l - 1]).ln();
        let found = p.loss(&logits, &labels).unwrap();
        let got = found.to_scalar().unwrap() as f64;
        if right.is_infinite() {
            assert!(got.is_infinite() && got > 0.0, "{got}");
        } else {
            close(("ctc", t, l), &found, &[right], 1e-5);
        }
    });
}
