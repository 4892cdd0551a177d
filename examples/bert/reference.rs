//! The encoder in plain Rust and double precision, a text at a time.

use ndarray::{Array1, Array2, Axis, concatenate, s};
use std::{collections::BTreeMap, f64::consts::PI};

const EPSILON: f64 = 1e-12;

/// Weights by their names in archives; vectors are matrices with one row.
pub(crate) struct Reference {
    pub(crate) weights: BTreeMap<String, Array2<f64>>,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
}

impl Reference {
    /// The vector of a text.
    pub(crate) fn embed(&self, tokens: &[i32]) -> Array1<f64> {
        let embedding = |kind: &str| self.weight(&format!("embeddings.{kind}_embeddings"));
        let words: Vec<_> = tokens.iter().map(|token| *token as usize).collect();
        let mut x = embedding("word").select(Axis(0), &words);
        x += &embedding("position").slice(s![..tokens.len(), ..]);
        x += &embedding("token_type").row(0);
        x = self.layer_norm("embeddings.LayerNorm", &x);
        for layer in 0..self.layers {
            x = self.layer(&format!("encoder.layer.{layer}"), &x);
        }
        let mean = x.sum_axis(Axis(0)) / tokens.len() as f64;
        let length = mean.dot(&mean).sqrt();
        mean / length
    }

    fn layer(&self, name: &str, x: &Array2<f64>) -> Array2<f64> {
        let attention = format!("{name}.attention");
        let joined = self.attend(&format!("{attention}.self"), x);
        let joined = self.dense(&format!("{attention}.output.dense"), &joined);
        let x = self.layer_norm(&format!("{attention}.output.LayerNorm"), &(x + &joined));
        let hidden = self.dense(&format!("{name}.intermediate.dense"), &x);
        let output = self.dense(&format!("{name}.output.dense"), &hidden.mapv(gelu));
        self.layer_norm(&format!("{name}.output.LayerNorm"), &(x + output))
    }

    fn attend(&self, name: &str, x: &Array2<f64>) -> Array2<f64> {
        let [query, key, value] =
            ["query", "key", "value"].map(|part| self.dense(&format!("{name}.{part}"), x));
        let size = x.ncols() / self.heads;
        let heads = (0..self.heads).map(|head| {
            let part = s![.., head * size..(head + 1) * size];
            let scores = query.slice(part).dot(&key.slice(part).t()) / (size as f64).sqrt();
            let powers = scores.mapv(f64::exp);
            let sums = powers.sum_axis(Axis(1)).insert_axis(Axis(1));
            (powers / sums).dot(&value.slice(part))
        });
        let heads: Vec<_> = heads.collect();
        let views: Vec<_> = heads.iter().map(|head| head.view()).collect();
        concatenate(Axis(1), &views).expect("heads of one height")
    }

    fn dense(&self, name: &str, x: &Array2<f64>) -> Array2<f64> {
        x.dot(&self.weight(name).t()) + self.bias(name)
    }

    fn layer_norm(&self, name: &str, x: &Array2<f64>) -> Array2<f64> {
        let mut rows = x.clone();
        for mut row in rows.outer_iter_mut() {
            let centered = &row - row.sum() / row.len() as f64;
            let variance = centered.dot(&centered) / row.len() as f64;
            row.assign(&(centered / (variance + EPSILON).sqrt()));
        }
        rows * self.weight(name) + self.bias(name)
    }

    fn weight(&self, name: &str) -> &Array2<f64> {
        &self.weights[&format!("{name}.weight")]
    }

    fn bias(&self, name: &str) -> &Array2<f64> {
        &self.weights[&format!("{name}.bias")]
    }
}

fn gelu(x: f64) -> f64 {
    x * (1.0 + erf(x / 2.0_f64.sqrt())) / 2.0
}

/// The series of <https://dlmf.nist.gov/7.6.E2>, whose terms have one sign.
fn erf(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    for n in 1..200 {
        term *= 2.0 * x * x / f64::from(2 * n + 1);
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

#[test]
fn the_error_function_is_that_of_tables() {
    for (x, expected) in [
        (0.5, 0.5204998778),
        (1.0, 0.8427007929),
        (-2.0, -0.9953222650),
    ] {
        assert!((erf(x) - expected).abs() < 1e-10);
    }
}
