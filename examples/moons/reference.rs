//! The network in plain Rust.

use ndarray::{Array1, Array2};

/// Weights and bias of both layers.
pub(crate) struct Network {
    pub(crate) hidden: (Array2<f32>, Array1<f32>),
    pub(crate) output: (Array2<f32>, Array1<f32>),
}

#[cfg(test)]
impl Network {
    /// What the program's `predict` computes.
    pub(crate) fn predict(&self, x: &Array2<f32>) -> Array2<f32> {
        let hidden = (x.dot(&self.hidden.0) + &self.hidden.1).mapv(gelu);
        let mut output = (hidden.dot(&self.output.0) + &self.output.1).exp();
        for mut row in output.outer_iter_mut() {
            row /= row.sum();
        }
        output
    }
}

#[cfg(test)]
fn gelu(x: f32) -> f32 {
    let inner = (2.0 / std::f32::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
    0.5 * x * (1.0 + inner.tanh())
}
