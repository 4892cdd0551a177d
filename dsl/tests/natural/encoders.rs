//! A block like those of BERT.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

/// Embeddings, attention to the words that are there, and a perceptron.
#[program]
mod bert {
    const WORDS: usize = 50;
    const LENGTH: usize = 32;
    const WIDTH: usize = 384;
    const HEADS: usize = 12;
    const SIZE: usize = 32;

    pub struct Norm {
        pub scale: Tensor<f32, WIDTH>,
        pub bias: Tensor<f32, WIDTH>,
    }

    pub struct Linear<const I: usize, const O: usize> {
        pub w: Tensor<f32, I, O>,
        pub b: Tensor<f32, O>,
    }

    pub struct Model {
        pub words: Tensor<f32, WORDS, WIDTH>,
        pub positions: Tensor<f32, LENGTH, WIDTH>,
        pub first: Norm,
        pub qkv: Linear<WIDTH, 1152>,
        pub output: Linear<WIDTH, WIDTH>,
        pub second: Norm,
        pub up: Linear<WIDTH, 64>,
        pub down: Linear<64, WIDTH>,
        pub third: Norm,
    }

    pub struct Bert;

    impl Bert {
        pub fn embed<const B: usize, const L: usize>(
            &self,
            model: Model,
            ids: Tensor<i32, B, L>,
        ) -> Tensor<f32, B, L, WIDTH> {
            let x = model.words.take(ids, 0) + model.positions.take(arange::<i32, L>(), 0);
            norm(model.first, x)
        }

        /// The features of each word.
        pub fn encode<const B: usize, const L: usize>(
            &self,
            model: Model,
            ids: Tensor<i32, B, L>,
        ) -> Tensor<f32, B, L, WIDTH> {
            let x = self.embed(model, ids);
            let mask = (ids != 0).reshape([B, 1, 1, L]);
            let x = norm(model.second, x + attend(model.qkv, model.output, x, mask));
            let h = (x.matmul(model.up.w) + model.up.b).gelu();
            norm(model.third, x + h.matmul(model.down.w) + model.down.b)
        }

        /// The mean over the words that are there, of the length one.
        pub fn sentence<const B: usize, const L: usize>(
            &self,
            model: Model,
            ids: Tensor<i32, B, L>,
        ) -> Tensor<f32, B, WIDTH> {
            let x = self.encode(model, ids);
            let there = (ids != 0) as f32;
            let mean =
                einsum!("bl,bld->bd", there, x) / there.sum_axis(1).maximum(1.0).insert_axis(1);
            mean / (mean * mean).sum_axis(1).sqrt().insert_axis(1)
        }
    }

    #[kernel]
    fn norm<const B: usize, const L: usize>(
        n: Norm,
        x: Tensor<f32, B, L, WIDTH>,
    ) -> Tensor<f32, B, L, WIDTH> {
        let centered = x - x.mean_axis(-1).insert_axis(-1);
        let variance = (centered * centered).mean_axis(-1).insert_axis(-1);
        centered / (variance + 1e-12).sqrt() * n.scale + n.bias
    }

    #[kernel]
    fn attend<const B: usize, const L: usize>(
        qkv: Linear<WIDTH, 1152>,
        output: Linear<WIDTH, WIDTH>,
        x: Tensor<f32, B, L, WIDTH>,
        mask: Tensor<bool, B, 1, 1, L>,
    ) -> Tensor<f32, B, L, WIDTH> {
        let all = x.matmul(qkv.w) + qkv.b;
        let heads =
            |part: Tensor<f32, B, L, WIDTH>| part.reshape([B, L, HEADS, SIZE]).swap_axes(1, 2);
        let [q, k, v] = all.split(3, -1);
        let scores = heads(q).matmul(heads(k).swap_axes(2, 3)) / (SIZE as f32).sqrt();
        let y = select(mask, scores, -1e9).softmax(-1).matmul(heads(v));
        y.swap_axes(1, 2).reshape([B, L, WIDTH]).matmul(output.w) + output.b
    }
}

struct Plain {
    words: Array2<f32>,
    positions: Array2<f32>,
    norms: [(Array1<f32>, Array1<f32>); 3],
    linear: [(Array2<f32>, Array1<f32>); 4],
}

impl Plain {
    fn new() -> Self {
        let mut numbers = Numbers::new(9);
        let mut norm = || (numbers.array(384) * 0.2 + 1.0, numbers.array(384) * 0.1);
        let norms = [norm(), norm(), norm()];
        let mut linear = |i, o, scale: f32| (numbers.array((i, o)) * scale, numbers.array(o) * 0.1);
        let linear = [
            linear(384, 1152, 0.05),
            linear(384, 384, 0.05),
            linear(384, 64, 0.05),
            linear(64, 384, 0.1),
        ];
        let (words, positions) = (numbers.array((50, 384)), numbers.array((32, 384)));
        Self {
            words,
            positions,
            norms,
            linear,
        }
    }

    fn upload(&self, device: &Device) -> bert::Model {
        let norm = |(scale, bias): &(_, _)| bert::Norm::upload(device, scale, bias).unwrap();
        let [first, second, third] = self.norms.each_ref().map(norm);
        let [a, b, c, d] = &self.linear;
        bert::Model::upload(
            device,
            &self.words,
            &self.positions,
            first,
            bert::Linear::upload(device, &a.0, &a.1).unwrap(),
            bert::Linear::upload(device, &b.0, &b.1).unwrap(),
            second,
            bert::Linear::upload(device, &c.0, &c.1).unwrap(),
            bert::Linear::upload(device, &d.0, &d.1).unwrap(),
            third,
        )
        .unwrap()
    }

    fn norm(&self, k: usize, x: &[f64]) -> Vec<f64> {
        let mean = x.iter().sum::<f64>() / 384.0;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 384.0;
        let (scale, bias) = &self.norms[k];
        (0..384)
            .map(|i| (x[i] - mean) / variance.sqrt() * f64::from(scale[i]) + f64::from(bias[i]))
            .collect()
    }

    fn linear(&self, k: usize, x: &[f64]) -> Vec<f64> {
        let (w, b) = &self.linear[k];
        let mut y: Vec<_> = b.iter().map(|b| f64::from(*b)).collect();
        for (x, w) in x.iter().zip(w.rows()) {
            y.iter_mut()
                .zip(w)
                .for_each(|(y, w)| *y += x * f64::from(*w));
        }
        y
    }

    fn embed(&self, ids: &[i32]) -> Vec<Vec<f64>> {
        let word = |(at, id): (usize, &i32)| {
            let sum =
                |i| f64::from(self.words[(*id as usize, i)]) + f64::from(self.positions[(at, i)]);
            self.norm(0, &(0..384).map(sum).collect::<Vec<_>>())
        };
        ids.iter().enumerate().map(word).collect()
    }

    fn encode(&self, ids: &[i32]) -> Vec<Vec<f64>> {
        let x = self.embed(ids);
        let qkv: Vec<_> = x.iter().map(|x| self.linear(0, x)).collect();
        let seen: Vec<_> = (0..ids.len()).filter(|u| ids[*u] != 0).collect();
        let mut all = vec![];
        for (t, x) in x.iter().enumerate() {
            let mut joined = vec![0.0; 384];
            for head in 0..12 {
                let dims = head * 32..head * 32 + 32;
                let score = |u: usize| {
                    let product = |d: usize| qkv[t][d] * qkv[u][384 + d];
                    dims.clone().map(product).sum::<f64>() / 32.0_f64.sqrt()
                };
                let sum: f64 = seen.iter().map(|u| score(*u).exp()).sum();
                for u in &seen {
                    let weight = score(*u).exp() / sum;
                    dims.clone()
                        .for_each(|d| joined[d] += weight * qkv[*u][768 + d]);
                }
            }
            let y = self.linear(1, &joined);
            let x = self.norm(1, &x.iter().zip(y).map(|(x, y)| x + y).collect::<Vec<_>>());
            let h: Vec<_> = self.linear(2, &x).into_iter().map(gelu).collect();
            let y = self.linear(3, &h);
            all.push(self.norm(2, &x.iter().zip(y).map(|(x, y)| x + y).collect::<Vec<_>>()));
        }
        all
    }
}

/// By the series of the error function, which converges for all numbers.
fn gelu(x: f64) -> f64 {
    let z = x / 2.0_f64.sqrt();
    let (mut term, mut sum) = (z, z);
    for k in 1..200 {
        term *= -z * z / f64::from(k);
        sum += term / f64::from(2 * k + 1);
    }
    x * (1.0 + sum * 2.0 / std::f64::consts::PI.sqrt()) / 2.0
}

#[test]
fn blocks_encode_sentences() {
    let plain = Plain::new();
    on_devices(|device| {
        let program = bert::Bert::load(device).unwrap();
        let model = plain.upload(device);
        at_sizes(device, &[(1, 1), (2, 5), (3, 32), (1, 17)], |(b, l)| {
            let mut numbers = Numbers::new((b * 100 + l) as u64);
            let ids = Array2::from_shape_fn((b, l), |(i, t)| match t > 0 && t + i >= l {
                true => 0,
                false => 1 + numbers.below(49) as i32,
            });
            let rows: Vec<Vec<i32>> = ids.rows().into_iter().map(|row| row.to_vec()).collect();
            let right: Vec<_> = rows
                .iter()
                .flat_map(|row| plain.embed(row).concat())
                .collect();
            // A mean, a variance and a root of 384 numbers, in rows of vectors.
            let found = program.embed(&model, &ids).unwrap();
            close(("embed", b, l), &found, &right, 50.0 * ROUND);

            let encoded: Vec<_> = rows.iter().map(|row| plain.encode(row)).collect();
            let right: Vec<_> = encoded.iter().flat_map(|rows| rows.concat()).collect();
            // Sums of 384 products, twice one after the other, of numbers of about 1.
            let found = program.encode(&model, &ids).unwrap();
            close(("encode", b, l), &found, &right, 400.0 * ROUND);

            let mut sentences = vec![];
            for (ids, rows) in rows.iter().zip(&encoded) {
                let mut sum = vec![0.0; 384];
                for (_, row) in ids.iter().zip(rows).filter(|(id, _)| **id != 0) {
                    sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
                }
                let norm = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
                sentences.extend(sum.iter().map(|x| x / norm));
            }
            let found = program.sentence(&model, &ids).unwrap();
            close(("sentence", b, l), &found, &sentences, 100.0 * ROUND);
        });
    });
}
