//! See [`gradients`].

use iree_dsl::prelude::*;

/// What is done with gradients between the loss and the optimiser, and with what comes out.
///
/// | kernel | what it computes |
/// |---|---|
/// | `global_norm(tree)` | the root of the sum of the squares of all numbers of a tree |
/// | `clip_by_global_norm(grads, max_norm)` | the gradients, scaled down to this norm if theirs is larger: Pascanu et al., *On the difficulty of training recurrent neural networks*, 2013, <https://arxiv.org/abs/1211.5063> |
/// | `accumulate(loss, params, batches)` | the mean loss of batches one after the other, with the memory of one, and its gradient |
/// | `ema(average, params, decay)` | the exponential moving average of parameters: Polyak and Juditsky, *Acceleration of stochastic approximation by averaging*, 1992 |
///
/// In `accumulate`, `loss` is a function of the parameters and the number of a batch, which counts from 0:
/// `accumulate(|model, i| loss(model, x[i], y[i]), model, 8)`.
#[kernel]
pub mod gradients {
    pub fn global_norm<P>(tree: P) -> Tensor<f32> {
        fold_tree(tree, 0.0, |sum, x| sum + (x * x).sum() as f32).sqrt()
    }

    pub fn clip_by_global_norm<P>(grads: P, max_norm: Tensor<f32>) -> P {
        let norm = global_norm(grads);
        let scale = select(norm > max_norm, max_norm / norm, 1.0);
        map_tree(grads, |g| scaled(g, scale))
    }

    pub fn accumulate<P>(
        loss: impl Fn(P, Tensor<i32>) -> Tensor<f32>,
        params: P,
        batches: Tensor<i32>,
    ) -> (Tensor<f32>, P) {
        let mut total: Tensor<f32> = 0.0;
        let mut sum = zeros_like(params);
        for i in range(0, batches) {
            let (loss, grads) = value_and_grad(loss)(params, i);
            total += loss;
            sum = zip_tree(sum, grads, |s, g| s + g);
        }
        let share = 1.0 / batches as f32;
        (total * share, map_tree(sum, |g| scaled(g, share)))
    }

    pub fn ema<P>(average: P, params: P, decay: f64) -> P {
        zip_tree(average, params, |a, p| a * decay + p * (1.0 - decay))
    }

    fn scaled<T: Float, B: Dims>(x: Tensor<T, B>, by: Tensor<f32>) -> Tensor<T, B> {
        x * by as T
    }
}
