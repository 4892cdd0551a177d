//! The block in plain Rust.

use ndarray::{Array1, Array2};

/// Weights, with a row for each output, and bias.
pub(crate) type Linear = (Array2<f32>, Array1<f32>);

/// The layers of a block.
pub(crate) struct Block {
    pub(crate) norms: [Linear; 2],
    /// Query, key, value and output.
    pub(crate) attention: [Linear; 4],
    pub(crate) mlp: [Linear; 2],
}

#[cfg(test)]
mod computed {
    use super::{Block, Linear};
    use ndarray::{Array1, Array2, Axis, concatenate, s};

    impl Block {
        /// What the program computes.
        pub(crate) fn apply(&self, heads: usize, x: &Array2<f32>) -> Array2<f32> {
            let x = x + &self.attend(heads, &normalize(&self.norms[0], x));
            let hidden = linear(&self.mlp[0], &normalize(&self.norms[1], &x)).mapv(gelu);
            x + linear(&self.mlp[1], &hidden)
        }

        fn attend(&self, heads: usize, x: &Array2<f32>) -> Array2<f32> {
            let [query, key, value, output] = &self.attention;
            let [query, key, value] = [query, key, value].map(|layer| linear(layer, x));
            let size = x.ncols() / heads;
            let joined: Vec<_> = (0..heads)
                .map(|head| {
                    let part = s![.., head * size..(head + 1) * size];
                    let scores = query.slice(part).dot(&key.slice(part).t());
                    causal_softmax(scores / (size as f32).sqrt()).dot(&value.slice(part))
                })
                .collect();
            let joined: Vec<_> = joined.iter().map(|part| part.view()).collect();
            let joined = concatenate(Axis(1), &joined).expect("heads of one height");
            linear(output, &joined)
        }
    }

    fn linear((weights, bias): &Linear, x: &Array2<f32>) -> Array2<f32> {
        x.dot(&weights.t()) + bias
    }

    fn normalize((scale, bias): &Linear, x: &Array2<f32>) -> Array2<f32> {
        let mut rows = x.clone();
        for mut row in rows.outer_iter_mut() {
            let mean = row.sum() / row.len() as f32;
            let centered: Array1<f32> = &row - mean;
            let variance = (&centered * &centered).sum() / row.len() as f32;
            row.assign(&(centered / (variance + 1e-5).sqrt() * scale.row(0) + bias));
        }
        rows
    }

    fn causal_softmax(mut scores: Array2<f32>) -> Array2<f32> {
        for (token, mut row) in scores.outer_iter_mut().enumerate() {
            row.mapv_inplace(f32::exp);
            row.slice_mut(s![token + 1..]).fill(0.0);
            row /= row.sum();
        }
        scores
    }

    fn gelu(x: f32) -> f32 {
        x * (1.0 + erf(f64::from(x) / 2.0_f64.sqrt()) as f32) / 2.0
    }

    /// The series of <https://dlmf.nist.gov/7.6.E2>, whose terms have one sign.
    fn erf(x: f64) -> f64 {
        let mut term = x;
        let mut sum = x;
        for n in 1..200 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        2.0 / std::f64::consts::PI.sqrt() * (-x * x).exp() * sum
    }
}
