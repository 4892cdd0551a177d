//! The network in plain Rust.

use ndarray::{Array1, Array2};

/// Weights and bias of both layers, with a row of weights for each output.
pub(crate) struct Network {
    pub(crate) hidden: (Array2<f32>, Array1<f32>),
    pub(crate) output: (Array2<f32>, Array1<f32>),
}

#[cfg(test)]
impl Network {
    /// What the program's `predict` computes.
    pub(crate) fn predict(&self, x: &Array2<f32>) -> Array2<f32> {
        let hidden = (x.dot(&self.hidden.0.t()) + &self.hidden.1).mapv(gelu);
        let mut output = (hidden.dot(&self.output.0.t()) + &self.output.1).exp();
        for mut row in output.outer_iter_mut() {
            row /= row.sum();
        }
        output
    }
}

#[cfg(test)]
fn gelu(x: f32) -> f32 {
    x * (1.0 + erf(f64::from(x) / 2.0_f64.sqrt()) as f32) / 2.0
}

/// The series of <https://dlmf.nist.gov/7.6.E2>, whose terms have one sign.
#[cfg(test)]
fn erf(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    for n in 1..200 {
        term *= 2.0 * x * x / f64::from(2 * n + 1);
        sum += term;
    }
    2.0 / std::f64::consts::PI.sqrt() * (-x * x).exp() * sum
}
