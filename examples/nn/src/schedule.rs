//! See [`schedules`].

use iree_dsl::prelude::*;

/// How a learning rate goes with the number of the step, which counts from 0.
///
/// | kernel | what it computes |
/// |---|---|
/// | `linear(step, first, last, steps)` | a line from one rate to another, which then stays |
/// | `cosine_decay(step, peak, steps, alpha)` | half a period of a cosine, from the peak to `alpha` times the peak |
/// | `warmup_cosine_decay(step, first, peak, warmup_steps, steps, last)` | a line up to the peak, then half a cosine down to the last rate, in `steps` together |
/// | `one_cycle(step, peak, steps)` | half a cosine up from a 25th of the peak in the first 30 % of the steps, and one down to a 250 000th |
/// | `one_cycle_with(step, peak, steps, warmup, div, final_div)` | the same with another share of the steps, from `peak / div` to `peak / (div * final_div)` |
///
/// They are those of Optax: `linear_schedule`, `cosine_decay_schedule`, `warmup_cosine_decay_schedule` and
/// `cosine_onecycle_schedule`. Cosines are from Loshchilov and Hutter, *SGDR*, 2017, <https://arxiv.org/abs/1608.03983>, a warm-up from
/// Goyal et al., *Accurate, large minibatch SGD*, 2017, <https://arxiv.org/abs/1706.02677>, one cycle from Smith and Topin,
/// *Super-convergence*, 2018, <https://arxiv.org/abs/1708.07120>.
#[kernel]
pub mod schedules {
    const PI: f32 = 3.141592653589793;

    pub fn linear(
        step: Tensor<i32>,
        first: Tensor<f32>,
        last: Tensor<f32>,
        steps: Tensor<i32>,
    ) -> Tensor<f32> {
        first + (last - first) * part(step, steps)
    }

    pub fn cosine_decay(
        step: Tensor<i32>,
        peak: Tensor<f32>,
        steps: Tensor<i32>,
        alpha: f32,
    ) -> Tensor<f32> {
        half_cosine(part(step, steps), peak, alpha * peak)
    }

    pub fn warmup_cosine_decay(
        step: Tensor<i32>,
        first: Tensor<f32>,
        peak: Tensor<f32>,
        warmup_steps: Tensor<i32>,
        steps: Tensor<i32>,
        last: Tensor<f32>,
    ) -> Tensor<f32> {
        let after = step - warmup_steps;
        let down = half_cosine(part(after, steps - warmup_steps), peak, last);
        select(after < 0, linear(step, first, peak, warmup_steps), down)
    }

    pub fn one_cycle(step: Tensor<i32>, peak: Tensor<f32>, steps: Tensor<i32>) -> Tensor<f32> {
        one_cycle_with(step, peak, steps, 0.3, 25.0, 1e4)
    }

    pub fn one_cycle_with(
        step: Tensor<i32>,
        peak: Tensor<f32>,
        steps: Tensor<i32>,
        warmup: f32,
        div: f32,
        final_div: f32,
    ) -> Tensor<f32> {
        let rising = (steps as f32 * warmup) as i32;
        let up = half_cosine(part(step, rising), peak / div, peak);
        let after = step - rising;
        let down = half_cosine(part(after, steps - rising), peak, peak / (div * final_div));
        select(after < 0, up, down)
    }

    /// From one rate to another, as a share from 0 to 1 is done.
    fn half_cosine(share: Tensor<f32>, first: Tensor<f32>, last: Tensor<f32>) -> Tensor<f32> {
        last + (first - last) * 0.5 * (1.0 + (share * PI).cos())
    }

    /// The share of the steps that is done, from 0 to 1.
    fn part(step: Tensor<i32>, steps: Tensor<i32>) -> Tensor<f32> {
        step.clamp(0, steps) as f32 / steps as f32
    }
}
