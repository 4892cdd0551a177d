//! The encoder, and the program that is made of it.

use iree_dsl::prelude::*;

/// A BERT encoder, whose trees have the names that PyTorch's archives use.
///
/// | kernel | what it computes |
/// |---|---|
/// | `encode(encoder, heads, tokens, mask)` | the features of each token, from all tokens of its text |
/// | `pool(features, mask)` | one vector of length 1 for each text |
#[kernel]
pub mod bert {
    /// Keeps the variance of equal numbers away from zero.
    const EPSILON: f64 = 1e-12;
    /// The score of what is not a token.
    const UNSEEN: f64 = -1e9;

    /// A linear layer, whose weights have a row for each output.
    pub struct Dense<const INPUTS: usize, const OUTPUTS: usize> {
        pub weight: Tensor<f32, OUTPUTS, INPUTS>,
        pub bias: Tensor<f32, OUTPUTS>,
    }

    /// What features are scaled and shifted by after they are normalised.
    pub struct LayerNorm<const WIDTH: usize> {
        pub weight: Tensor<f32, WIDTH>,
        pub bias: Tensor<f32, WIDTH>,
    }

    /// What tokens start as.
    pub struct Embeddings<const VOCABULARY: usize, const POSITIONS: usize, const WIDTH: usize> {
        #[param("word_embeddings.weight")]
        pub words: Tensor<f32, VOCABULARY, WIDTH>,
        #[param("position_embeddings.weight")]
        pub positions: Tensor<f32, POSITIONS, WIDTH>,
        /// Of the first and of the second text, where there are two.
        #[param("token_type_embeddings.weight")]
        pub types: Tensor<f32, 2, WIDTH>,
        #[param("LayerNorm")]
        pub norm: LayerNorm<WIDTH>,
    }

    /// The layers of self-attention.
    pub struct Attention<const WIDTH: usize> {
        #[param("self.query")]
        pub query: Dense<WIDTH, WIDTH>,
        #[param("self.key")]
        pub key: Dense<WIDTH, WIDTH>,
        #[param("self.value")]
        pub value: Dense<WIDTH, WIDTH>,
        #[param("output.dense")]
        pub output: Dense<WIDTH, WIDTH>,
        #[param("output.LayerNorm")]
        pub norm: LayerNorm<WIDTH>,
    }

    /// Attention, and a perceptron that is `INNER` wide.
    pub struct Layer<const WIDTH: usize, const INNER: usize> {
        pub attention: Attention<WIDTH>,
        #[param("intermediate.dense")]
        pub hidden: Dense<WIDTH, INNER>,
        #[param("output.dense")]
        pub output: Dense<INNER, WIDTH>,
        #[param("output.LayerNorm")]
        pub norm: LayerNorm<WIDTH>,
    }

    pub struct Encoder<
        const VOCABULARY: usize,
        const POSITIONS: usize,
        const WIDTH: usize,
        const INNER: usize,
        const LAYERS: usize,
    > {
        pub embeddings: Embeddings<VOCABULARY, POSITIONS, WIDTH>,
        #[param("encoder.layer")]
        pub layers: [Layer<WIDTH, INNER>; LAYERS],
    }

    /// The features of each token. The mask is true for tokens, and false for what fills up shorter texts.
    pub fn encode<
        const TEXTS: usize,
        const TOKENS: usize,
        const VOCABULARY: usize,
        const POSITIONS: usize,
        const WIDTH: usize,
        const INNER: usize,
        const LAYERS: usize,
    >(
        encoder: Encoder<VOCABULARY, POSITIONS, WIDTH, INNER, LAYERS>,
        heads: usize,
        tokens: Tensor<i32, TEXTS, TOKENS>,
        mask: Tensor<bool, TEXTS, TOKENS>,
    ) -> Tensor<f32, TEXTS, TOKENS, WIDTH> {
        let mut x = embed(encoder.embeddings, tokens);
        for layer in encoder.layers {
            x = layer_norm(
                layer.attention.norm,
                x + attention(layer.attention, heads, x, mask),
            );
            x = layer_norm(
                layer.norm,
                x + dense(layer.output, dense(layer.hidden, x).gelu()),
            );
        }
        x
    }

    /// The mean of each text's tokens, divided by its length.
    pub fn pool<const TEXTS: usize, const TOKENS: usize, const WIDTH: usize>(
        features: Tensor<f32, TEXTS, TOKENS, WIDTH>,
        mask: Tensor<bool, TEXTS, TOKENS>,
    ) -> Tensor<f32, TEXTS, WIDTH> {
        let weights = (mask as f32).insert_axis(2);
        let mean = (features * weights).sum_axis(1) / weights.sum_axis(1);
        mean / (mean * mean).sum_axis(-1).insert_axis(-1).sqrt()
    }

    fn embed<
        const TEXTS: usize,
        const TOKENS: usize,
        const VOCABULARY: usize,
        const POSITIONS: usize,
        const WIDTH: usize,
    >(
        embeddings: Embeddings<VOCABULARY, POSITIONS, WIDTH>,
        tokens: Tensor<i32, TEXTS, TOKENS>,
    ) -> Tensor<f32, TEXTS, TOKENS, WIDTH> {
        let words = embeddings.words.take(tokens, 0);
        let x = words + embeddings.positions[s![..TOKENS]] + embeddings.types[0];
        layer_norm(embeddings.norm, x)
    }

    /// What each token takes from those of its text.
    fn attention<const TEXTS: usize, const TOKENS: usize, const WIDTH: usize>(
        layers: Attention<WIDTH>,
        heads: usize,
        x: Tensor<f32, TEXTS, TOKENS, WIDTH>,
        mask: Tensor<bool, TEXTS, TOKENS>,
    ) -> Tensor<f32, TEXTS, TOKENS, WIDTH> {
        let size = WIDTH / heads;
        let split = |x| x.reshape([TEXTS, TOKENS, heads, size]).swap_axes(1, 2);
        let query = split(dense(layers.query, x));
        let key = split(dense(layers.key, x));
        let value = split(dense(layers.value, x));
        let scores = query.matmul(key.swap_axes(2, 3)) / (size as f32).sqrt();
        let seen = mask.insert_axis(1).insert_axis(1);
        let shares = select(seen, scores, UNSEEN as f32).softmax(-1);
        let joined = shares.matmul(value).swap_axes(1, 2);
        dense(layers.output, joined.reshape([TEXTS, TOKENS, WIDTH]))
    }

    fn dense<const TEXTS: usize, const TOKENS: usize, const INPUTS: usize, const OUTPUTS: usize>(
        layer: Dense<INPUTS, OUTPUTS>,
        x: Tensor<f32, TEXTS, TOKENS, INPUTS>,
    ) -> Tensor<f32, TEXTS, TOKENS, OUTPUTS> {
        x.matmul(layer.weight.t()) + layer.bias
    }

    fn layer_norm<const TEXTS: usize, const TOKENS: usize, const WIDTH: usize>(
        norm: LayerNorm<WIDTH>,
        x: Tensor<f32, TEXTS, TOKENS, WIDTH>,
    ) -> Tensor<f32, TEXTS, TOKENS, WIDTH> {
        x.normalize_axis(-1, EPSILON) * norm.weight + norm.bias
    }
}

/// all-MiniLM-L6-v2, which gives texts of similar meaning similar vectors.
#[program]
pub mod minilm {
    #[kernel]
    use super::bert::{Encoder, encode, pool};

    const VOCABULARY: usize = 30522;
    /// The most tokens that a text may have.
    pub const POSITIONS: usize = 512;
    /// The numbers of a vector.
    pub const WIDTH: usize = 384;
    const INNER: usize = 1536;
    const LAYERS: usize = 6;
    const HEADS: usize = 12;

    /// The tokens of a short query.
    pub const QUERY: usize = 16;

    pub struct MiniLm {
        #[global(immutable, parameter = "model")]
        #[param("")]
        encoder: Encoder<VOCABULARY, POSITIONS, WIDTH, INNER, LAYERS>,
    }

    impl MiniLm {
        /// The vectors of some texts, of which the mask says where they have tokens.
        pub fn embed<const TEXTS: usize, const TOKENS: usize>(
            &self,
            tokens: Tensor<i32, TEXTS, TOKENS>,
            mask: Tensor<bool, TEXTS, TOKENS>,
        ) -> Tensor<f32, TEXTS, WIDTH> {
            pool(encode(self.encoder, HEADS, tokens, mask), mask)
        }

        /// The same for one short text.
        pub fn embed_query(
            &self,
            tokens: Tensor<i32, 1, QUERY>,
            mask: Tensor<bool, 1, QUERY>,
        ) -> Tensor<f32, 1, WIDTH> {
            self.embed(tokens, mask)
        }
    }
}
