//! See [`attention`].

use iree_dsl::prelude::*;

/// What rows take from others. A row is a token; the axes before those of tokens and features are of a batch.
///
/// | kernel | in PyTorch |
/// |---|---|
/// | `scaled_dot_product_attention(query, key, value, attn_mask, is_causal)` | `F.scaled_dot_product_attention` |
/// | `multihead_attention(layer, query, key, value, key_padding_mask, attn_mask)` | `nn.MultiheadAttention`, with `batch_first=True` and without the weights |
/// | `square_subsequent_mask::<SZ>()` | `nn.Transformer.generate_square_subsequent_mask(sz)`, as truth values |
/// | `split_heads(x, heads)` | `x.view(b, l, heads, -1).transpose(1, 2)` |
/// | `join_heads(x)` | `x.transpose(1, 2).reshape(b, l, -1)` |
///
/// Masks are truth values, of which PyTorch has two kinds, and so has this module. In
/// `scaled_dot_product_attention`, `attn_mask` is true where a key is seen, and `true` means all. In
/// `multihead_attention`, `key_padding_mask` and `attn_mask` are true where a key is not seen, and `false` means
/// none. An `attn_mask` has the shape `[L, S]`, for `L` queries and `S` keys, or one that broadcasts to that of the
/// scores, which have the axes of the batch, the heads, the queries and the keys; `key_padding_mask` has the axes
/// of the batch and the keys. A query that sees no key takes the mean of all
/// values, where PyTorch has zeros or NaN.
#[kernel]
pub mod attention {
    #[kernel]
    use crate::layers::{Linear, linear};

    /// Attention with several heads.
    #[derive(Clone, Debug)]
    pub struct MultiheadAttention<const EMBED_DIM: usize, const NUM_HEADS: usize, T: Float = f32> {
        /// What makes queries, keys and values, one below the other.
        pub in_proj_weight: Tensor<T, { 3 * EMBED_DIM }, EMBED_DIM>,
        /// What is added to them.
        pub in_proj_bias: Tensor<T, { 3 * EMBED_DIM }>,
        /// What joins the heads.
        pub out_proj: Linear<EMBED_DIM, EMBED_DIM, T>,
    }

    pub fn scaled_dot_product_attention<
        T: Float,
        M,
        B: Dims,
        const L: usize,
        const S: usize,
        const E: usize,
        const EV: usize,
    >(
        query: Tensor<T, B, L, E>,
        key: Tensor<T, B, S, E>,
        value: Tensor<T, B, S, EV>,
        attn_mask: M,
        is_causal: bool,
    ) -> Tensor<T, B, L, EV> {
        let scores = query.matmul(key.swap_axes(-2, -1)) / (E as f64).sqrt() as T;
        let seen = if is_causal {
            attn_mask & (iota::<i32, L, S>(1) <= iota::<i32, L, S>(0))
        } else {
            attn_mask
        };
        select(seen, scores, T::MIN / 2.0).softmax(-1).matmul(value)
    }

    pub fn multihead_attention<
        T: Float,
        P,
        M,
        B: Dims,
        const L: usize,
        const S: usize,
        const EMBED_DIM: usize,
        const NUM_HEADS: usize,
    >(
        layer: MultiheadAttention<EMBED_DIM, NUM_HEADS, T>,
        query: Tensor<T, B, L, EMBED_DIM>,
        key: Tensor<T, B, S, EMBED_DIM>,
        value: Tensor<T, B, S, EMBED_DIM>,
        key_padding_mask: P,
        attn_mask: M,
    ) -> Tensor<T, B, L, EMBED_DIM> {
        let weights = layer.in_proj_weight.split(3, 0);
        let biases = layer.in_proj_bias.split(3, 0);
        let project = |x, part| {
            let layer = Linear {
                weight: weights[part],
                bias: biases[part],
            };
            split_heads(linear(layer, x), NUM_HEADS)
        };
        let padding = if key_padding_mask.rank() == 0 {
            key_padding_mask
        } else {
            key_padding_mask.insert_axis(-2).insert_axis(-2)
        };
        let hidden = padding | attn_mask;
        let (query, key, value) = (project(query, 0), project(key, 1), project(value, 2));
        let joined = scaled_dot_product_attention(query, key, value, !hidden, false);
        linear(layer.out_proj, join_heads(joined))
    }

    /// True where a key comes after its query.
    pub fn square_subsequent_mask<const SZ: usize>() -> Tensor<bool, SZ, SZ> {
        iota::<i32, SZ, SZ>(1) > iota::<i32, SZ, SZ>(0)
    }

    pub fn split_heads<T: Float, B: Dims, const L: usize, const E: usize>(
        x: Tensor<T, B, L, E>,
        heads: usize,
    ) -> Tensor<T, B, _, L, _> {
        assert!(
            E % heads == 0,
            "the width is a multiple of the number of heads"
        );
        x.reshape([B, L, heads, E / heads]).swap_axes(-3, -2)
    }

    pub fn join_heads<T: Float, B: Dims, const HEADS: usize, const L: usize, const SIZE: usize>(
        x: Tensor<T, B, HEADS, L, SIZE>,
    ) -> Tensor<T, B, L, { HEADS * SIZE }> {
        x.swap_axes(-3, -2).reshape([B, L, HEADS * SIZE])
    }
}
