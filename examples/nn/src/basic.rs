//! See [`layers`].

use iree_dsl::prelude::*;

/// Layers that others are made of.
///
/// | kernel | in PyTorch | what it computes |
/// |---|---|---|
/// | `linear(layer, x)` | `nn.Linear(i, o)` | `x` times the transposed weights, plus the bias |
/// | `linear_without_bias(layer, x)` | `nn.Linear(i, o, bias=False)` | the same without |
/// | `embedding(layer, indices)` | `nn.Embedding(n, d)` | the rows of the weights at the indices |
/// | `layer_norm(norm, x)` | `nn.LayerNorm(f)` | each row with mean 0 and variance 1, scaled and shifted |
/// | `layer_norm_eps(norm, x, eps)` | `nn.LayerNorm(f, eps)` | the same with another number added to the variance |
/// | `gelu(x)` | `nn.GELU()` | the Gaussian error linear unit |
/// | `gelu_tanh(x)` | `nn.GELU("tanh")` | the same by its approximation with `tanh` |
#[kernel]
pub mod layers {
    /// Keeps the variance of equal numbers away from zero.
    const EPS: f64 = 1e-5;

    /// A linear layer.
    #[derive(Clone, Debug)]
    pub struct Linear<const IN_FEATURES: usize, const OUT_FEATURES: usize, T: Float = f32> {
        /// What each feature of the output takes from each feature of the input.
        pub weight: Tensor<T, OUT_FEATURES, IN_FEATURES>,
        /// What is added to every row.
        pub bias: Tensor<T, OUT_FEATURES>,
    }

    /// A linear layer without a bias.
    #[derive(Clone, Debug)]
    pub struct LinearWithoutBias<
        const IN_FEATURES: usize,
        const OUT_FEATURES: usize,
        T: Float = f32,
    > {
        /// What each feature of the output takes from each feature of the input.
        pub weight: Tensor<T, OUT_FEATURES, IN_FEATURES>,
    }

    /// A table of vectors.
    #[derive(Clone, Debug)]
    pub struct Embedding<const NUM_EMBEDDINGS: usize, const EMBEDDING_DIM: usize, T: Float = f32> {
        /// The vector of each index.
        pub weight: Tensor<T, NUM_EMBEDDINGS, EMBEDDING_DIM>,
    }

    /// What rows are scaled and shifted by after they are normalised.
    #[derive(Clone, Debug)]
    pub struct LayerNorm<const NORMALIZED_SHAPE: usize, T: Float = f32> {
        /// The standard deviations.
        pub weight: Tensor<T, NORMALIZED_SHAPE>,
        /// The means.
        pub bias: Tensor<T, NORMALIZED_SHAPE>,
    }

    pub fn linear<T: Float, B: Dims, const IN_FEATURES: usize, const OUT_FEATURES: usize>(
        layer: Linear<IN_FEATURES, OUT_FEATURES, T>,
        x: Tensor<T, B, IN_FEATURES>,
    ) -> Tensor<T, B, OUT_FEATURES> {
        x.matmul(layer.weight.t()) + layer.bias
    }

    pub fn linear_without_bias<
        T: Float,
        B: Dims,
        const IN_FEATURES: usize,
        const OUT_FEATURES: usize,
    >(
        layer: LinearWithoutBias<IN_FEATURES, OUT_FEATURES, T>,
        x: Tensor<T, B, IN_FEATURES>,
    ) -> Tensor<T, B, OUT_FEATURES> {
        x.matmul(layer.weight.t())
    }

    pub fn embedding<
        T: Float,
        I: Int,
        B: Dims,
        const NUM_EMBEDDINGS: usize,
        const EMBEDDING_DIM: usize,
    >(
        layer: Embedding<NUM_EMBEDDINGS, EMBEDDING_DIM, T>,
        indices: Tensor<I, B>,
    ) -> Tensor<T, B, EMBEDDING_DIM> {
        layer.weight.take(indices, 0)
    }

    pub fn layer_norm<T: Float, B: Dims, const NORMALIZED_SHAPE: usize>(
        norm: LayerNorm<NORMALIZED_SHAPE, T>,
        x: Tensor<T, B, NORMALIZED_SHAPE>,
    ) -> Tensor<T, B, NORMALIZED_SHAPE> {
        layer_norm_eps(norm, x, EPS)
    }

    pub fn layer_norm_eps<T: Float, B: Dims, const NORMALIZED_SHAPE: usize>(
        norm: LayerNorm<NORMALIZED_SHAPE, T>,
        x: Tensor<T, B, NORMALIZED_SHAPE>,
        eps: f64,
    ) -> Tensor<T, B, NORMALIZED_SHAPE> {
        x.normalize_axis(-1, eps) * norm.weight + norm.bias
    }

    pub fn gelu<T: Float, B: Dims>(x: Tensor<T, B>) -> Tensor<T, B> {
        x.gelu()
    }

    pub fn gelu_tanh<T: Float, B: Dims>(x: Tensor<T, B>) -> Tensor<T, B> {
        x.gelu_tanh()
    }
}
