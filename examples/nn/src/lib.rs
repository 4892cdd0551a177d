//! Layers of neural networks, as kernels and trees for programs to import.
//!
//! A layer is a tree, which holds its parameters, and a kernel that applies it. Both are generic over the
//! sizes and the element type. A program imports what it needs; on the host, the trees are ordinary
//! structs of this crate with arrays on the device for leaves, the same for all programs.
//!
//! ```
//! use iree_dsl::prelude::*;
//!
//! #[program]
//! pub mod affine {
//!     #[kernel]
//!     use nn::layers::{Linear, linear};
//!
//!     pub struct Affine;
//!
//!     impl Affine {
//!         pub fn run(&self, layer: Linear<3, 2, f32>, x: Tensor<f32, 4, 3>) -> Tensor<f32, 4, 2> {
//!             linear(layer, x)
//!         }
//!     }
//! }
//!
//! fn main() -> iree_dsl::Result<()> {
//!     let device = Device::open("local-sync")?;
//!     let layer = nn::layers::Linear {
//!         weights: device.upload(&ndarray::Array2::ones((3, 2)))?,
//!         bias: device.upload(&ndarray::arr1(&[0.0, 1.0]))?,
//!     };
//!     let program = affine::Affine::load(&device)?;
//!     let y = program.run(&layer, [[1.0, 2.0, 3.0]; 4])?;
//!     assert_eq!(y.to_array()?.row(3), ndarray::arr1(&[6.0, 7.0]));
//!     Ok(())
//! }
//! ```

use iree_dsl::prelude::*;

/// Layers that others are made of.
///
/// | kernel | what it computes |
/// |---|---|
/// | `linear(layer, x)` | `x` times the weights, plus the bias |
/// | `layer_norm(norm, x)` | each row with mean 0 and variance 1, scaled and shifted |
/// | `gelu(x)` | the Gaussian error linear unit, by its approximation with `tanh` |
#[kernel]
pub mod layers {
    /// Keeps the variance of equal numbers away from zero.
    const EPSILON: f64 = 1e-5;

    /// A linear layer.
    #[derive(Clone, Debug)]
    pub struct Linear<const INPUTS: usize, const OUTPUTS: usize, T: Float> {
        /// What each feature of the input adds to each feature of the output.
        pub weights: Tensor<T, INPUTS, OUTPUTS>,
        /// What is added to every row.
        pub bias: Tensor<T, OUTPUTS>,
    }

    /// What rows are scaled and shifted by after they are normalised.
    #[derive(Clone, Debug)]
    pub struct LayerNorm<const FEATURES: usize, T: Float> {
        /// The standard deviations.
        pub scale: Tensor<T, FEATURES>,
        /// The means.
        pub bias: Tensor<T, FEATURES>,
    }

    pub fn linear<T: Float, const ROWS: usize, const INPUTS: usize, const OUTPUTS: usize>(
        layer: Linear<INPUTS, OUTPUTS, T>,
        x: Tensor<T, ROWS, INPUTS>,
    ) -> Tensor<T, ROWS, OUTPUTS> {
        x.dot(layer.weights) + layer.bias
    }

    pub fn layer_norm<T: Float, const ROWS: usize, const FEATURES: usize>(
        norm: LayerNorm<FEATURES, T>,
        x: Tensor<T, ROWS, FEATURES>,
    ) -> Tensor<T, ROWS, FEATURES> {
        let centered = x - x.mean_axis(1).insert_axis(1);
        let variance = (centered * centered).mean_axis(1).insert_axis(1);
        centered / (variance + EPSILON as T).sqrt() * norm.scale + norm.bias
    }

    pub fn gelu<T: Float, const ROWS: usize, const FEATURES: usize>(
        x: Tensor<T, ROWS, FEATURES>,
    ) -> Tensor<T, ROWS, FEATURES> {
        x.gelu_tanh()
    }
}

/// Two linear layers.
///
/// | kernel | what it computes |
/// |---|---|
/// | `mlp(layers, x)` | the output layer of the hidden layer's `gelu` |
#[kernel]
pub mod mlp {
    #[kernel]
    use super::layers::{Linear, gelu, linear};

    /// A multilayer perceptron with one hidden layer.
    #[derive(Clone, Debug)]
    pub struct Mlp<const INPUTS: usize, const HIDDEN: usize, const OUTPUTS: usize, T: Float> {
        /// The layer that sees the input.
        pub hidden: Linear<INPUTS, HIDDEN, T>,
        /// The layer that gives the output.
        pub output: Linear<HIDDEN, OUTPUTS, T>,
    }

    pub fn mlp<
        T: Float,
        const ROWS: usize,
        const INPUTS: usize,
        const HIDDEN: usize,
        const OUTPUTS: usize,
    >(
        layers: Mlp<INPUTS, HIDDEN, OUTPUTS, T>,
        x: Tensor<T, ROWS, INPUTS>,
    ) -> Tensor<T, ROWS, OUTPUTS> {
        linear(layers.output, gelu(linear(layers.hidden, x)))
    }
}

/// What transformers are made of. A row is a token.
///
/// | kernel | what it computes |
/// |---|---|
/// | `attention(layers, heads, x)` | what each token takes from itself and the tokens before it |
/// | `block(layers, heads, x)` | `x`, plus attention, plus an `mlp`, each of the normalised rows |
#[kernel]
pub mod transformer {
    #[kernel]
    use super::layers::{LayerNorm, Linear, layer_norm, linear};
    #[kernel]
    use super::mlp::{Mlp, mlp};

    /// The score of a token that is not to be seen.
    const UNSEEN: f32 = -1e4;

    /// The layers of causal self-attention.
    #[derive(Clone, Debug)]
    pub struct Attention<const WIDTH: usize, T: Float> {
        /// What a token looks for.
        pub query: Linear<WIDTH, WIDTH, T>,
        /// What a token is found by.
        pub key: Linear<WIDTH, WIDTH, T>,
        /// What a token gives.
        pub value: Linear<WIDTH, WIDTH, T>,
        /// What joins the heads.
        pub output: Linear<WIDTH, WIDTH, T>,
    }

    /// The layers of a block; its perceptron is `INNER` wide.
    #[derive(Clone, Debug)]
    pub struct Block<const WIDTH: usize, const INNER: usize, T: Float> {
        /// Before the attention.
        pub first_norm: LayerNorm<WIDTH, T>,
        /// The attention.
        pub attention: Attention<WIDTH, T>,
        /// Before the perceptron.
        pub second_norm: LayerNorm<WIDTH, T>,
        /// The perceptron.
        pub mlp: Mlp<WIDTH, INNER, WIDTH, T>,
    }

    pub fn attention<T: Float, const TOKENS: usize, const WIDTH: usize>(
        layers: Attention<WIDTH, T>,
        heads: usize,
        x: Tensor<T, TOKENS, WIDTH>,
    ) -> Tensor<T, TOKENS, WIDTH> {
        let size = WIDTH / heads;
        let split = |x| x.reshape([TOKENS, heads, size]).swap_axes(0, 1);
        let query = split(linear(layers.query, x));
        let key = split(linear(layers.key, x));
        let value = split(linear(layers.value, x));
        let scores = query.matmul(key.swap_axes(1, 2)) / full::<T>(size as T).sqrt();
        let row = iota::<i32, TOKENS, TOKENS>(0);
        let column = iota::<i32, TOKENS, TOKENS>(1);
        let seen = select(column <= row, scores, UNSEEN as T);
        let joined = seen.softmax(2).matmul(value).swap_axes(0, 1);
        linear(layers.output, joined.reshape([TOKENS, WIDTH]))
    }

    pub fn block<T: Float, const TOKENS: usize, const WIDTH: usize, const INNER: usize>(
        layers: Block<WIDTH, INNER, T>,
        heads: usize,
        x: Tensor<T, TOKENS, WIDTH>,
    ) -> Tensor<T, TOKENS, WIDTH> {
        let x = x + attention(layers.attention, heads, layer_norm(layers.first_norm, x));
        x + mlp(layers.mlp, layer_norm(layers.second_norm, x))
    }
}
