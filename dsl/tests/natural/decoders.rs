//! Models that write a token after the other.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, s};

/// Attention to the tokens before, whose keys and values are kept in globals.
#[program]
mod cached {
    const HEADS: usize = 2;
    const SIZE: usize = 4;
    const WIDTH: usize = 8;
    const LENGTH: usize = 12;

    pub struct Cached {
        #[global]
        keys: Tensor<f32, LENGTH, HEADS, SIZE>,
        #[global]
        values: Tensor<f32, LENGTH, HEADS, SIZE>,
        #[global]
        position: Tensor<i32>,
    }

    pub struct Weights {
        pub query: Tensor<f32, WIDTH, WIDTH>,
        pub key: Tensor<f32, WIDTH, WIDTH>,
        pub value: Tensor<f32, WIDTH, WIDTH>,
        pub output: Tensor<f32, WIDTH, WIDTH>,
    }

    impl Cached {
        pub fn reset(&mut self) {
            self.position = 0;
        }

        /// What one more token makes of those before it.
        pub fn step(&mut self, w: Weights, x: Tensor<f32, WIDTH>) -> Tensor<f32, WIDTH> {
            let q = x.dot(w.query).reshape([HEADS, SIZE]);
            self.keys[self.position] = x.dot(w.key).reshape([HEADS, SIZE]);
            self.values[self.position] = x.dot(w.value).reshape([HEADS, SIZE]);
            let scores = einsum!("hd,thd->ht", q, self.keys) / (SIZE as f32).sqrt();
            let mask = arange::<i32, LENGTH>() <= self.position;
            let weights = select(mask, scores, -1e9).softmax(-1);
            self.position += 1;
            einsum!("ht,thd->hd", weights, self.values)
                .flatten()
                .dot(w.output)
        }

        /// The same for a whole text at once.
        pub fn prefill<const T: usize>(
            &self,
            w: Weights,
            x: Tensor<f32, T, WIDTH>,
        ) -> Tensor<f32, T, WIDTH> {
            let q = x.dot(w.query).reshape([T, HEADS, SIZE]).swap_axes(0, 1);
            let k = x.dot(w.key).reshape([T, HEADS, SIZE]).swap_axes(0, 1);
            let v = x.dot(w.value).reshape([T, HEADS, SIZE]).swap_axes(0, 1);
            let scores = q.matmul(k.swap_axes(1, 2)) / (SIZE as f32).sqrt();
            let mask = arange::<i32, T>().insert_axis(1) >= arange::<i32, T>();
            let y = select(mask, scores, -1e9).softmax(-1).matmul(v);
            y.swap_axes(0, 1).reshape([T, WIDTH]).dot(w.output)
        }
    }
}

/// Causal attention of two heads of four numbers, token by token.
fn attention(x: &Array2<f32>, w: [&Array2<f32>; 4]) -> Vec<f64> {
    let project = |x: &dyn Fn(usize) -> f64, w: &Array2<f32>| -> Vec<f64> {
        (0..8)
            .map(|j| (0..8).map(|i| x(i) * f64::from(w[(i, j)])).sum())
            .collect()
    };
    let rows = |w: &Array2<f32>| -> Vec<Vec<f64>> {
        x.rows()
            .into_iter()
            .map(|x| project(&|i| f64::from(x[i]), w))
            .collect()
    };
    let (q, k, v) = (rows(w[0]), rows(w[1]), rows(w[2]));
    let mut all = vec![];
    for (t, query) in q.iter().enumerate() {
        let mut joined = [0.0; 8];
        for head in 0..2 {
            let dims = head * 4..head * 4 + 4;
            let score = |u: usize| dims.clone().map(|d| query[d] * k[u][d]).sum::<f64>() / 2.0;
            let sum: f64 = (0..=t).map(|u| score(u).exp()).sum();
            for (u, value) in v[..=t].iter().enumerate() {
                let weight = score(u).exp() / sum;
                dims.clone().for_each(|d| joined[d] += weight * value[d]);
            }
        }
        all.extend(project(&|i| joined[i], w[3]));
    }
    all
}

#[test]
fn attention_sees_what_was_before() {
    let mut numbers = Numbers::new(1);
    let w: [Array2<f32>; 4] = std::array::from_fn(|_| numbers.array((8, 8)));
    on_devices(|device| {
        let mut program = cached::Cached::load(device).unwrap();
        let weights = cached::Weights::upload(device, &w[0], &w[1], &w[2], &w[3]).unwrap();
        at_sizes(device, &[1, 2, 7, 12], |n| {
            let x = Numbers::new(n as u64 + 2).array((n, 8));
            let right = attention(&x, w.each_ref());
            // Scores of up to 10 with sums of 8, 8 and 4 products, their exponentials, and sums of 12 and 8.
            let within = 10.0 * 50.0 * ROUND;
            close(
                ("prefill", n),
                &program.prefill(&weights, &x).unwrap(),
                &right,
                within,
            );
            program.reset().unwrap();
            for (t, row) in x.rows().into_iter().enumerate() {
                let found = program.step(&weights, row).unwrap();
                close(("step", n, t), &found, &right[8 * t..][..8], within);
            }
        });
        // Longer texts do not go into the cache, and need none.
        at_sizes(device, &[13, 40], |n| {
            let x = Numbers::new(n as u64 + 2).array((n, 8));
            let right = attention(&x, w.each_ref());
            let found = program.prefill(&weights, &x).unwrap();
            close(
                ("prefill", n),
                &found,
                &right,
                10.0 * (50 + n) as f64 * ROUND,
            );
        });
    });
}

/// Which token comes next.
#[program]
mod sampling {
    pub struct Sampling {
        #[global(init = random::key(3))]
        key: Tensor<u32, 2>,
    }

    impl Sampling {
        /// One of the five likeliest tokens of each text, by chance.
        pub fn top_five<const B: usize>(
            &mut self,
            logits: Tensor<f32, B, 30>,
            temperature: Tensor<f32>,
        ) -> (Tensor<i32, B>, Tensor<f32, B, 5>, Tensor<i32, B, 5>) {
            let [next, key] = random::split(self.key);
            self.key = next;
            let (values, tokens) = logits.top_k(5);
            let picked = random::categorical(key, values / temperature);
            let chosen = tokens
                .take_along_axis(picked.insert_axis(1), 1)
                .remove_axis(1);
            (chosen, (values / temperature).softmax(-1), tokens)
        }
    }
}

#[test]
fn likely_tokens_are_drawn() {
    on_devices(|device| {
        let mut program = sampling::Sampling::load(device).unwrap();
        at_sizes(device, &[1, 3, 8, 21], |n| {
            let logits = Numbers::new(n as u64 + 3).array((n, 30)) * 3.0;
            let (chosen, p, tokens) = program.top_five(&logits, 0.7).unwrap();
            let (chosen, mut right, mut best) = (chosen.to_array().unwrap(), vec![], vec![]);
            for (row, chosen) in logits.rows().into_iter().zip(&chosen) {
                let mut order: Vec<_> = (0..30).collect();
                order.sort_by(|a, b| row[*b].total_cmp(&row[*a]));
                let weight = |token: usize| (f64::from(row[token]) / 0.7).exp();
                let sum: f64 = order[..5].iter().map(|token| weight(*token)).sum();
                right.extend(order[..5].iter().map(|token| weight(*token) / sum));
                best.extend(order[..5].iter().map(|token| *token as i32));
                assert!(order[..5].contains(&(*chosen as usize)));
            }
            close(("p", n), &p, &right, 30.0 * ROUND);
            same(("tokens", n), &tokens, &best);
        });
    });
}

/// The likeliest tokens, of which there are as many as it takes.
#[program]
mod nucleus {
    pub struct Nucleus;

    impl Nucleus {
        /// The likelihoods of the fewest tokens that have `p` together, and none of the others.
        pub fn keep<const B: usize>(
            &self,
            logits: Tensor<f32, B, 30>,
            p: Tensor<f32>,
        ) -> Tensor<f32, B, 30> {
            let order = (-logits).argsort(-1);
            let sorted = logits.take_along_axis(order, 1).softmax(-1);
            let kept = sorted.cumsum(1) - sorted < p;
            let kept = kept.take_along_axis(order.argsort(-1), 1);
            select(kept, logits, -1e9).softmax(-1)
        }
    }
}

#[test]
fn unlikely_tokens_are_left_out() {
    on_devices(|device| {
        let program = nucleus::Nucleus::load(device).unwrap();
        at_sizes(device, &[1, 3, 8, 21], |n| {
            let logits = Numbers::new(n as u64 + 3).array((n, 30)) * 3.0;
            let mut kept = vec![];
            for row in logits.rows() {
                let mut order: Vec<_> = (0..30).collect();
                order.sort_by(|a, b| row[*b].total_cmp(&row[*a]));
                let weight = |token: usize| f64::from(row[token]).exp();
                let all: f64 = (0..30).map(weight).sum();
                let (mut count, mut sum) = (0, 0.0);
                while sum < 0.8 * all {
                    sum += weight(order[count]);
                    count += 1;
                }
                let likelihood = |token: usize| match order[..count].contains(&token) {
                    true => weight(token) / sum,
                    false => 0.0,
                };
                kept.extend((0..30).map(likelihood));
            }
            // Sums of 30 exponentials, twice.
            let found = program.keep(&logits, 0.8).unwrap();
            close(("nucleus", n), &found, &kept, 60.0 * ROUND);
        });
    });
}

/// The likeliest texts of a model that knows pairs of tokens.
#[program]
mod beam {
    const WIDTH: usize = 3;
    const TOKENS: usize = 6;
    const LENGTH: usize = 8;

    pub struct Beam;

    impl Beam {
        pub fn search(
            &self,
            model: Tensor<f32, TOKENS, TOKENS>,
            first: Tensor<i32>,
            length: Tensor<i32>,
        ) -> (Tensor<i32, WIDTH, LENGTH>, Tensor<f32, WIDTH>) {
            let likely = model.log_softmax(-1);
            let mut texts = full::<i32, WIDTH, LENGTH>(-1);
            texts[s![.., 0]] = first;
            let mut scores = tensor([0.0, -1e9, -1e9]);
            for t in range(1, length) {
                let last = texts[s![.., t - 1]];
                let all = scores.insert_axis(1) + likely.take(last, 0);
                let (best, places) = all.flatten().top_k(WIDTH);
                texts = texts.take(places / TOKENS as i32, 0);
                texts[s![.., t]] = places % TOKENS as i32;
                scores = best;
            }
            (texts, scores)
        }
    }
}

#[test]
fn beams_keep_the_likeliest() {
    on_devices(|device| {
        let program = beam::Beam::load(device).unwrap();
        at_sizes(device, &[1, 2, 5, 8], |n| {
            let model = Numbers::new(n as u64 + 4).array((6, 6)) * 2.0;
            let log = |from: usize, to: usize| {
                let row = model.slice(s![from, ..]);
                let sum: f64 = row.iter().map(|x| f64::from(*x).exp()).sum();
                f64::from(row[to]) - sum.ln()
            };
            let mut beam = vec![(vec![2_usize], 0.0)];
            for _ in 1..n {
                let mut all = vec![];
                for (text, score) in &beam {
                    for token in 0..6 {
                        let mut longer = text.clone();
                        longer.push(token);
                        all.push((longer, score + log(*text.last().unwrap(), token)));
                    }
                }
                all.sort_by(|a, b| b.1.total_cmp(&a.1));
                all.truncate(3);
                beam = all;
            }
            let (texts, scores) = program.search(&model, 2, n as i32).unwrap();
            let (texts, scores) = (texts.to_array().unwrap(), scores.to_array().unwrap());
            for (k, (text, score)) in beam.iter().enumerate() {
                let found: Vec<_> = texts.row(k).iter().take(n).map(|t| *t as usize).collect();
                assert_eq!(&found, text);
                assert!((f64::from(scores[k]) - score).abs() < 20.0 * 8.0 * 4.0 * ROUND);
            }
            let rest = texts.slice(s![.., n..]);
            assert_eq!(
                rest.to_owned().into_flat(),
                Array1::from_elem(3 * (8 - n), -1)
            );
        });
    });
}
