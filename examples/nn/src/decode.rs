//! See [`decoding`].

use iree_dsl::prelude::*;

/// What models need that write one token after the other.
///
/// | kernel | what it computes |
/// |---|---|
/// | `rotary(x, positions, base)` | rows that are turned by angles which grow with their positions: Su et al., *RoFormer*, 2021, <https://arxiv.org/abs/2104.09864>, with the first half of the features next to the second, as in GPT-NeoX and Llama; the base is 10000 there |
/// | `cached_attention(cache, at, query, key, value)` | causal attention of new tokens, from the position `at` on, to themselves and those before, and the cache with their keys and values |
///
/// A cache that is full forgets the oldest token for each new one, if these come one at a time; several at once must fit
/// behind those that it has.
#[kernel]
pub mod decoding {
    #[kernel]
    use crate::attention::scaled_dot_product_attention;

    /// The keys and values of tokens so far.
    #[derive(Clone, Debug)]
    pub struct KvCache<
        const TEXTS: usize,
        const HEADS: usize,
        const POSITIONS: usize,
        const SIZE: usize,
        T: Float = f32,
    > {
        /// What tokens are found by.
        pub key: Tensor<T, TEXTS, HEADS, POSITIONS, SIZE>,
        /// What they give.
        pub value: Tensor<T, TEXTS, HEADS, POSITIONS, SIZE>,
    }

    pub fn rotary<T: Float, B: Dims, const L: usize, const E: usize>(
        x: Tensor<T, B, L, E>,
        positions: Tensor<i32, L>,
        base: f64,
    ) -> Tensor<T, B, L, E> {
        let slope = -2.0 * base.ln() / E as f64;
        let speeds = (arange::<f32, { E / 2 }>() * slope as f32).exp();
        let angles = (positions as f32).outer(speeds);
        let (cos, sin) = (angles.cos() as T, angles.sin() as T);
        let [a, b] = x.split(2, -1);
        concatenate([a * cos - b * sin, b * cos + a * sin], -1)
    }

    pub fn cached_attention<
        T: Float,
        const TEXTS: usize,
        const HEADS: usize,
        const POSITIONS: usize,
        const L: usize,
        const E: usize,
    >(
        cache: KvCache<TEXTS, HEADS, POSITIONS, E, T>,
        at: Tensor<i32>,
        query: Tensor<T, TEXTS, HEADS, L, E>,
        key: Tensor<T, TEXTS, HEADS, L, E>,
        value: Tensor<T, TEXTS, HEADS, L, E>,
    ) -> (
        Tensor<T, TEXTS, HEADS, L, E>,
        KvCache<TEXTS, HEADS, POSITIONS, E, T>,
    ) {
        let key = cache
            .key
            .dynamic_update_slice(key, [0, 0, at % POSITIONS as i32, 0]);
        let value = cache
            .value
            .dynamic_update_slice(value, [0, 0, at % POSITIONS as i32, 0]);
        let seen = iota::<i32, L, POSITIONS>(1) <= iota::<i32, L, POSITIONS>(0) + at;
        let y = scaled_dot_product_attention(query, key, value, seen, false);
        (y, KvCache { key, value })
    }
}
