//! The encoder, and the program that is made of it.

use iree_dsl::prelude::*;

/// A BERT encoder, whose trees have the names that PyTorch's archives use.
///
/// | kernel | what it computes |
/// |---|---|
/// | `encode(encoder, tokens, mask)` | the features of each token, from all tokens of its text |
/// | `pool(features, mask)` | one vector of length 1 for each text |
#[kernel]
pub mod bert {
    #[kernel]
    use nn::attention::{join_heads, scaled_dot_product_attention, split_heads};
    #[kernel]
    use nn::layers::{Embedding, LayerNorm, Linear, embedding, layer_norm_eps, linear};

    /// Keeps the variance of equal numbers away from zero.
    const EPSILON: f64 = 1e-12;

    /// What tokens start as.
    pub struct Embeddings<const VOCABULARY: usize, const POSITIONS: usize, const WIDTH: usize> {
        #[param("word_embeddings")]
        pub words: Embedding<VOCABULARY, WIDTH>,
        #[param("position_embeddings")]
        pub positions: Embedding<POSITIONS, WIDTH>,
        /// Of the first and of the second text, where there are two.
        #[param("token_type_embeddings")]
        pub types: Embedding<2, WIDTH>,
        #[param("LayerNorm")]
        pub norm: LayerNorm<WIDTH>,
    }

    /// The layers of self-attention.
    pub struct Attention<const WIDTH: usize, const HEADS: usize> {
        #[param("self.query")]
        pub query: Linear<WIDTH, WIDTH>,
        #[param("self.key")]
        pub key: Linear<WIDTH, WIDTH>,
        #[param("self.value")]
        pub value: Linear<WIDTH, WIDTH>,
        #[param("output.dense")]
        pub output: Linear<WIDTH, WIDTH>,
        #[param("output.LayerNorm")]
        pub norm: LayerNorm<WIDTH>,
    }

    /// Attention, and a perceptron that is `INNER` wide.
    pub struct Layer<const WIDTH: usize, const INNER: usize, const HEADS: usize> {
        pub attention: Attention<WIDTH, HEADS>,
        #[param("intermediate.dense")]
        pub hidden: Linear<WIDTH, INNER>,
        #[param("output.dense")]
        pub output: Linear<INNER, WIDTH>,
        #[param("output.LayerNorm")]
        pub norm: LayerNorm<WIDTH>,
    }

    pub struct Encoder<
        const VOCABULARY: usize,
        const POSITIONS: usize,
        const WIDTH: usize,
        const INNER: usize,
        const LAYERS: usize,
        const HEADS: usize,
    > {
        pub embeddings: Embeddings<VOCABULARY, POSITIONS, WIDTH>,
        #[param("encoder.layer")]
        pub layers: [Layer<WIDTH, INNER, HEADS>; LAYERS],
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
        const HEADS: usize,
    >(
        encoder: Encoder<VOCABULARY, POSITIONS, WIDTH, INNER, LAYERS, HEADS>,
        tokens: Tensor<i32, TEXTS, TOKENS>,
        mask: Tensor<bool, TEXTS, TOKENS>,
    ) -> Tensor<f32, TEXTS, TOKENS, WIDTH> {
        let mut x = embed(encoder.embeddings, tokens);
        for layer in encoder.layers {
            let attention = layer.attention;
            x = layer_norm_eps(attention.norm, x + attend(attention, x, mask), EPSILON);
            let hidden = linear(layer.hidden, x).gelu();
            x = layer_norm_eps(layer.norm, x + linear(layer.output, hidden), EPSILON);
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
        let positions = embeddings.positions.weight[s![..TOKENS]];
        let x = embedding(embeddings.words, tokens) + positions + embeddings.types.weight[0];
        layer_norm_eps(embeddings.norm, x, EPSILON)
    }

    /// What each token takes from those of its text.
    fn attend<const TEXTS: usize, const TOKENS: usize, const WIDTH: usize, const HEADS: usize>(
        layers: Attention<WIDTH, HEADS>,
        x: Tensor<f32, TEXTS, TOKENS, WIDTH>,
        mask: Tensor<bool, TEXTS, TOKENS>,
    ) -> Tensor<f32, TEXTS, TOKENS, WIDTH> {
        let query = split_heads(linear(layers.query, x), HEADS);
        let key = split_heads(linear(layers.key, x), HEADS);
        let value = split_heads(linear(layers.value, x), HEADS);
        let seen = mask.insert_axis(1).insert_axis(1);
        let joined = scaled_dot_product_attention(query, key, value, seen, false);
        linear(layers.output, join_heads(joined))
    }
}

/// all-MiniLM-L6-v2, which gives texts of similar meaning similar vectors.
#[program]
pub mod minilm {
    #[kernel]
    use super::bert::{Encoder, encode, pool};

    /// The most tokens that a text may have.
    pub const POSITIONS: usize = 512;
    /// The numbers of a vector.
    pub const WIDTH: usize = 384;
    /// The tokens of a short query.
    pub const QUERY: usize = 16;

    pub struct MiniLm {
        #[global(immutable, parameter = "model")]
        #[param("")]
        encoder: Encoder<
            { VOCABULARY = 30522 },
            POSITIONS = POSITIONS,
            WIDTH = WIDTH,
            { INNER = 4 * WIDTH },
            { LAYERS = 6 },
            { HEADS = 12 },
        >,
    }

    impl MiniLm {
        /// The vectors of some texts, of which the mask says where they have tokens.
        pub fn embed<const TEXTS: usize, const TOKENS: usize>(
            &self,
            tokens: Tensor<i32, TEXTS, TOKENS>,
            mask: Tensor<bool, TEXTS, TOKENS>,
        ) -> Tensor<f32, TEXTS, WIDTH> {
            pool(encode(self.encoder, tokens, mask), mask)
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
