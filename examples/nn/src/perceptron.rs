//! See [`mlp`].

use iree_dsl::prelude::*;

/// Two linear layers.
///
/// | kernel | what it computes |
/// |---|---|
/// | `mlp(layers, x)` | the output layer of the hidden layer's `gelu` |
#[kernel]
pub mod mlp {
    #[kernel]
    use crate::layers::{Linear, gelu, linear};

    /// A multilayer perceptron with one hidden layer.
    #[derive(Clone, Debug)]
    pub struct Mlp<const INPUTS: usize, const HIDDEN: usize, const OUTPUTS: usize, T: Float = f32> {
        /// The layer that sees the input.
        pub hidden: Linear<INPUTS, HIDDEN, T>,
        /// The layer that gives the output.
        pub output: Linear<HIDDEN, OUTPUTS, T>,
    }

    pub fn mlp<
        T: Float,
        B: Dims,
        const INPUTS: usize,
        const HIDDEN: usize,
        const OUTPUTS: usize,
    >(
        layers: Mlp<INPUTS, HIDDEN, OUTPUTS, T>,
        x: Tensor<T, B, INPUTS>,
    ) -> Tensor<T, B, OUTPUTS> {
        linear(layers.output, gelu(linear(layers.hidden, x)))
    }
}
