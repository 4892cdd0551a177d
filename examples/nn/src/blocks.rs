//! See [`transformer`].

use iree_dsl::prelude::*;

/// What transformers are made of. A row is a token; the axes before those of tokens and features are of a batch.
///
/// | kernel | what it computes |
/// |---|---|
/// | `transformer_encoder_layer(layer, src, src_mask, src_key_padding_mask, activation, norm_first)` | `nn.TransformerEncoderLayer` of PyTorch, with `batch_first=True` |
/// | `transformer_encoder(layers, src, mask, src_key_padding_mask, activation, norm_first)` | `nn.TransformerEncoder`: one layer after the other |
/// | `self_attention(layers, heads, x, attn_mask, is_causal)` | what each token takes from those that it sees |
/// | `attention(layers, heads, x)` | what each token takes from itself and the tokens before it |
/// | `block(layers, heads, x)` | `x`, plus attention, plus an `mlp`, each of the normalised rows |
///
/// Masks are those of [`attention`](crate::attention): `false` for none in layers of PyTorch, `true` for none in
/// `self_attention`. The activation is `"relu"`, which PyTorch assumes, or `"gelu"`, and it assumes that
/// `norm_first` is `false`.
#[kernel]
pub mod transformer {
    #[kernel]
    use crate::attention::{
        MultiheadAttention, join_heads, multihead_attention, scaled_dot_product_attention,
        split_heads,
    };
    #[kernel]
    use crate::layers::{LayerNorm, Linear, layer_norm, linear};
    #[kernel]
    use crate::mlp::{Mlp, mlp};

    /// Attention and two linear layers, each with a normalisation.
    #[derive(Clone, Debug)]
    pub struct TransformerEncoderLayer<
        const D_MODEL: usize,
        const NHEAD: usize,
        const DIM_FEEDFORWARD: usize = 2048,
        T: Float = f32,
    > {
        /// The attention.
        pub self_attn: MultiheadAttention<D_MODEL, NHEAD, T>,
        /// The first layer of the perceptron.
        pub linear1: Linear<D_MODEL, DIM_FEEDFORWARD, T>,
        /// The second layer of the perceptron.
        pub linear2: Linear<DIM_FEEDFORWARD, D_MODEL, T>,
        /// With the attention.
        pub norm1: LayerNorm<D_MODEL, T>,
        /// With the perceptron.
        pub norm2: LayerNorm<D_MODEL, T>,
    }

    /// Layers of one kind.
    #[derive(Clone, Debug)]
    pub struct TransformerEncoder<
        const NUM_LAYERS: usize,
        const D_MODEL: usize,
        const NHEAD: usize,
        const DIM_FEEDFORWARD: usize = 2048,
        T: Float = f32,
    > {
        /// From the first to the last.
        pub layers: [TransformerEncoderLayer<D_MODEL, NHEAD, DIM_FEEDFORWARD, T>; NUM_LAYERS],
    }

    /// The layers of self-attention, apart.
    #[derive(Clone, Debug)]
    pub struct Attention<const WIDTH: usize, T: Float = f32> {
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
    pub struct Block<const WIDTH: usize, const INNER: usize, T: Float = f32> {
        /// Before the attention.
        pub first_norm: LayerNorm<WIDTH, T>,
        /// The attention.
        pub attention: Attention<WIDTH, T>,
        /// Before the perceptron.
        pub second_norm: LayerNorm<WIDTH, T>,
        /// The perceptron.
        pub mlp: Mlp<WIDTH, INNER, WIDTH, T>,
    }

    pub fn transformer_encoder_layer<
        T: Float,
        M,
        P,
        B: Dims,
        const S: usize,
        const D_MODEL: usize,
        const NHEAD: usize,
        const DIM_FEEDFORWARD: usize,
    >(
        layer: TransformerEncoderLayer<D_MODEL, NHEAD, DIM_FEEDFORWARD, T>,
        src: Tensor<T, B, S, D_MODEL>,
        src_mask: M,
        src_key_padding_mask: P,
        activation: &str,
        norm_first: bool,
    ) -> Tensor<T, B, S, D_MODEL> {
        assert!(
            activation == "gelu" || activation == "relu",
            "the activation is relu or gelu"
        );
        let attend =
            |x| multihead_attention(layer.self_attn, x, x, x, src_key_padding_mask, src_mask);
        let feed = |x| {
            let hidden = linear(layer.linear1, x);
            linear(
                layer.linear2,
                if activation == "gelu" {
                    hidden.gelu()
                } else {
                    hidden.relu()
                },
            )
        };
        if norm_first {
            let x = src + attend(layer_norm(layer.norm1, src));
            x + feed(layer_norm(layer.norm2, x))
        } else {
            let x = layer_norm(layer.norm1, src + attend(src));
            layer_norm(layer.norm2, x + feed(x))
        }
    }

    pub fn transformer_encoder<
        T: Float,
        M,
        P,
        B: Dims,
        const S: usize,
        const NUM_LAYERS: usize,
        const D_MODEL: usize,
        const NHEAD: usize,
        const DIM_FEEDFORWARD: usize,
    >(
        encoder: TransformerEncoder<NUM_LAYERS, D_MODEL, NHEAD, DIM_FEEDFORWARD, T>,
        src: Tensor<T, B, S, D_MODEL>,
        mask: M,
        src_key_padding_mask: P,
        activation: &str,
        norm_first: bool,
    ) -> Tensor<T, B, S, D_MODEL> {
        let mut x = src;
        for layer in encoder.layers {
            let padding = src_key_padding_mask;
            x = transformer_encoder_layer(layer, x, mask, padding, activation, norm_first);
        }
        x
    }

    pub fn self_attention<T: Float, M, B: Dims, const TOKENS: usize, const WIDTH: usize>(
        layers: Attention<WIDTH, T>,
        heads: usize,
        x: Tensor<T, B, TOKENS, WIDTH>,
        attn_mask: M,
        is_causal: bool,
    ) -> Tensor<T, B, TOKENS, WIDTH> {
        let query = split_heads(linear(layers.query, x), heads);
        let key = split_heads(linear(layers.key, x), heads);
        let value = split_heads(linear(layers.value, x), heads);
        let joined = scaled_dot_product_attention(query, key, value, attn_mask, is_causal);
        linear(layers.output, join_heads(joined))
    }

    pub fn attention<T: Float, B: Dims, const TOKENS: usize, const WIDTH: usize>(
        layers: Attention<WIDTH, T>,
        heads: usize,
        x: Tensor<T, B, TOKENS, WIDTH>,
    ) -> Tensor<T, B, TOKENS, WIDTH> {
        self_attention(layers, heads, x, true, true)
    }

    pub fn block<T: Float, B: Dims, const TOKENS: usize, const WIDTH: usize, const INNER: usize>(
        layers: Block<WIDTH, INNER, T>,
        heads: usize,
        x: Tensor<T, B, TOKENS, WIDTH>,
    ) -> Tensor<T, B, TOKENS, WIDTH> {
        let x = x + attention(layers.attention, heads, layer_norm(layers.first_norm, x));
        x + mlp(layers.mlp, layer_norm(layers.second_norm, x))
    }
}
