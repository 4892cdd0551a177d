//! The model, and how it learns.

use iree_dsl::prelude::*;

/// A decoder of the kind of GPT: Radford et al., *Improving language understanding by generative pre-training*, 2018, with the
/// normalisation before the layers, rotary positions, and one table for the tokens that are read and those that are written
/// (Press and Wolf, *Using the output embedding to improve language models*, 2017, <https://arxiv.org/abs/1608.05859>).
///
/// | kernel | what it computes |
/// |---|---|
/// | `begin(learner, seed)` | a learner of the same form that has learnt nothing, with weights by chance |
/// | `logits(model, tokens)` | for each token, how likely each is to come next |
/// | `next_logits(model, caches, at, tokens)` | the same for tokens from the position `at` on, after those in the caches, and the caches with them |
/// | `learn(learner, text, peak_rate, steps)` | the loss of a batch of windows of a text, and the learner after it |
#[kernel]
pub mod gpt {
    #[kernel]
    use nn::attention::{join_heads, scaled_dot_product_attention, split_heads};
    #[kernel]
    use nn::decoding::{KvCache, cached_attention, rotary};
    #[kernel]
    use nn::gradients::clip_by_global_norm;
    #[kernel]
    use nn::initializers::truncated_normal;
    #[kernel]
    use nn::layers::{Embedding, LinearWithoutBias, embedding, linear_without_bias};
    #[kernel]
    use nn::losses::cross_entropy;
    #[kernel]
    use nn::optimizers::{Adam, adamw};
    #[kernel]
    use nn::regularization::{RmsNorm, rms_norm};
    #[kernel]
    use nn::schedules::warmup_cosine_decay;

    const EPS: f64 = 1e-5;
    const ROTARY_BASE: f64 = 10000.0;
    /// The standard deviation of first weights.
    const STD: f64 = 0.02;
    const WARMUP_STEPS: i32 = 10;
    const LARGEST_NORM: f32 = 1.0;
    const WEIGHT_DECAY: f64 = 0.1;

    /// Attention and a perceptron that is `INNER` wide.
    pub struct Block<const WIDTH: usize, const INNER: usize> {
        pub attention_norm: RmsNorm<WIDTH>,
        pub query: LinearWithoutBias<WIDTH, WIDTH>,
        pub key: LinearWithoutBias<WIDTH, WIDTH>,
        pub value: LinearWithoutBias<WIDTH, WIDTH>,
        pub output: LinearWithoutBias<WIDTH, WIDTH>,
        pub mlp_norm: RmsNorm<WIDTH>,
        pub up: LinearWithoutBias<WIDTH, INNER>,
        pub down: LinearWithoutBias<INNER, WIDTH>,
    }

    pub struct Gpt<
        const VOCABULARY: usize,
        const WIDTH: usize,
        const INNER: usize,
        const HEADS: usize,
        const LAYERS: usize,
    > {
        pub tokens: Embedding<VOCABULARY, WIDTH>,
        pub blocks: [Block<WIDTH, INNER>; LAYERS],
        pub norm: RmsNorm<WIDTH>,
    }

    /// A model, the state of its optimiser, and where its random numbers come from.
    pub struct Learner<
        const VOCABULARY: usize,
        const WIDTH: usize,
        const INNER: usize,
        const HEADS: usize,
        const LAYERS: usize,
    > {
        pub model: Gpt<VOCABULARY, WIDTH, INNER, HEADS, LAYERS>,
        pub state: Adam<Gpt<VOCABULARY, WIDTH, INNER, HEADS, LAYERS>>,
        pub key: Tensor<u32, 2>,
    }

    pub fn begin<
        const VOCABULARY: usize,
        const WIDTH: usize,
        const INNER: usize,
        const HEADS: usize,
        const LAYERS: usize,
    >(
        learner: Learner<VOCABULARY, WIDTH, INNER, HEADS, LAYERS>,
        seed: Tensor<u32>,
    ) -> Learner<VOCABULARY, WIDTH, INNER, HEADS, LAYERS> {
        let [weights, key] = random::split(random::key(seed));
        Learner {
            model: begin_model(learner.model, weights),
            state: zeros_like(learner.state),
            key,
        }
    }

    fn begin_model<
        const VOCABULARY: usize,
        const WIDTH: usize,
        const INNER: usize,
        const HEADS: usize,
        const LAYERS: usize,
    >(
        model: Gpt<VOCABULARY, WIDTH, INNER, HEADS, LAYERS>,
        key: Tensor<u32, 2>,
    ) -> Gpt<VOCABULARY, WIDTH, INNER, HEADS, LAYERS> {
        let mut model = model;
        for layer in 0..LAYERS {
            model.blocks[layer] = begin_block(random::fold_in(key, layer), LAYERS);
        }
        model.tokens.weight = truncated_normal(random::fold_in(key, LAYERS), STD);
        model.norm.weight = ones();
        model
    }

    /// What adds to the features begins smaller the more layers do so, as in GPT-2.
    fn begin_block<const WIDTH: usize, const INNER: usize>(
        key: Tensor<u32, 2>,
        layers: usize,
    ) -> Block<WIDTH, INNER> {
        let [query, key, value, output, up, down] = random::split(key);
        let residual = STD / (2.0 * layers as f64).sqrt();
        Block {
            attention_norm: RmsNorm { weight: ones() },
            query: LinearWithoutBias {
                weight: truncated_normal(query, STD),
            },
            key: LinearWithoutBias {
                weight: truncated_normal(key, STD),
            },
            value: LinearWithoutBias {
                weight: truncated_normal(value, STD),
            },
            output: LinearWithoutBias {
                weight: truncated_normal(output, residual),
            },
            mlp_norm: RmsNorm { weight: ones() },
            up: LinearWithoutBias {
                weight: truncated_normal(up, STD),
            },
            down: LinearWithoutBias {
                weight: truncated_normal(down, residual),
            },
        }
    }

    pub fn logits<
        B: Dims,
        const L: usize,
        const VOCABULARY: usize,
        const WIDTH: usize,
        const INNER: usize,
        const HEADS: usize,
        const LAYERS: usize,
    >(
        model: Gpt<VOCABULARY, WIDTH, INNER, HEADS, LAYERS>,
        tokens: Tensor<i32, B, L>,
    ) -> Tensor<f32, B, L, VOCABULARY> {
        let mut x = embedding(model.tokens, tokens);
        for block in model.blocks {
            let (query, key, value) = heads(block, HEADS, x, arange());
            let seen = scaled_dot_product_attention(query, key, value, true, true);
            x = mixed(block, x, seen);
        }
        tied(model, x)
    }

    pub fn next_logits<
        const L: usize,
        const POSITIONS: usize,
        const SIZE: usize,
        const VOCABULARY: usize,
        const WIDTH: usize,
        const INNER: usize,
        const HEADS: usize,
        const LAYERS: usize,
    >(
        model: Gpt<VOCABULARY, WIDTH, INNER, HEADS, LAYERS>,
        caches: [KvCache<1, HEADS, POSITIONS, SIZE>; LAYERS],
        at: Tensor<i32>,
        tokens: Tensor<i32, 1, L>,
    ) -> (
        Tensor<f32, 1, L, VOCABULARY>,
        [KvCache<1, HEADS, POSITIONS, SIZE>; LAYERS],
    ) {
        let mut caches = caches;
        let mut x = embedding(model.tokens, tokens);
        for layer in 0..LAYERS {
            let block = model.blocks[layer];
            let (query, key, value) = heads(block, HEADS, x, arange() + at);
            let (seen, cache) = cached_attention(caches[layer], at, query, key, value);
            caches[layer] = cache;
            x = mixed(block, x, seen);
        }
        (tied(model, x), caches)
    }

    pub fn learn<
        const BATCH: usize,
        const CONTEXT: usize,
        const N: usize,
        const VOCABULARY: usize,
        const WIDTH: usize,
        const INNER: usize,
        const HEADS: usize,
        const LAYERS: usize,
    >(
        learner: Learner<VOCABULARY, WIDTH, INNER, HEADS, LAYERS>,
        text: Tensor<u8, N>,
        peak_rate: Tensor<f32>,
        steps: Tensor<i32>,
    ) -> (
        Tensor<f32>,
        Learner<VOCABULARY, WIDTH, INNER, HEADS, LAYERS>,
    ) {
        let [next, key] = random::split(learner.key);
        let starts = random::randint::<i32, BATCH, 1>(key, 0, N as i32 - CONTEXT as i32);
        let windows = text.take(starts + arange::<i32, { CONTEXT + 1 }>(), 0) as i32;
        let (seen, wanted) = (windows[s![.., ..-1]], windows[s![.., 1..]]);
        let loss = |model| cross_entropy(logits(model, seen), wanted);
        let (loss, gradient) = value_and_grad(loss)(learner.model);

        let gradient = clip_by_global_norm(gradient, LARGEST_NORM);
        let last = peak_rate * 0.1;
        let step = learner.state.count + 1;
        let rate = warmup_cosine_decay(step, 0.0, peak_rate, WARMUP_STEPS, steps, last);
        let (model, state) = adamw(learner.state, learner.model, gradient, rate, WEIGHT_DECAY);
        (
            loss,
            Learner {
                model,
                state,
                key: next,
            },
        )
    }

    /// What a block looks for, finds and takes, by heads.
    fn heads<B: Dims, const L: usize, const WIDTH: usize, const INNER: usize>(
        block: Block<WIDTH, INNER>,
        heads: usize,
        x: Tensor<f32, B, L, WIDTH>,
        positions: Tensor<i32, L>,
    ) -> (
        Tensor<f32, B, _, L, _>,
        Tensor<f32, B, _, L, _>,
        Tensor<f32, B, _, L, _>,
    ) {
        let x = rms_norm(block.attention_norm, x, EPS);
        let query = split_heads(linear_without_bias(block.query, x), heads);
        let key = split_heads(linear_without_bias(block.key, x), heads);
        let value = split_heads(linear_without_bias(block.value, x), heads);
        (
            rotary(query, positions, ROTARY_BASE),
            rotary(key, positions, ROTARY_BASE),
            value,
        )
    }

    /// Adds what was seen, and what the perceptron makes of it.
    fn mixed<
        B: Dims,
        const HEADS: usize,
        const L: usize,
        const SIZE: usize,
        const WIDTH: usize,
        const INNER: usize,
    >(
        block: Block<WIDTH, INNER>,
        x: Tensor<f32, B, L, WIDTH>,
        seen: Tensor<f32, B, HEADS, L, SIZE>,
    ) -> Tensor<f32, B, L, WIDTH> {
        let x = x + linear_without_bias(block.output, join_heads(seen));
        let hidden = linear_without_bias(block.up, rms_norm(block.mlp_norm, x, EPS));
        x + linear_without_bias(block.down, hidden.gelu_tanh())
    }

    fn tied<
        B: Dims,
        const L: usize,
        const VOCABULARY: usize,
        const WIDTH: usize,
        const INNER: usize,
        const HEADS: usize,
        const LAYERS: usize,
    >(
        model: Gpt<VOCABULARY, WIDTH, INNER, HEADS, LAYERS>,
        x: Tensor<f32, B, L, WIDTH>,
    ) -> Tensor<f32, B, L, VOCABULARY> {
        rms_norm(model.norm, x, EPS).matmul(model.tokens.weight.t())
    }
}
