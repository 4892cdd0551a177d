//! See [`losses`].

use iree_dsl::prelude::*;

/// How wrong predictions are, on average.
///
/// | kernel | in PyTorch |
/// |---|---|
/// | `cross_entropy(logits, labels)` | `F.cross_entropy`, with the classes along the last axis |
/// | `cross_entropy_smooth(logits, labels, label_smoothing)` | the same, where a part of each label is shared by all classes: Szegedy et al., *Rethinking the inception architecture for computer vision*, 2016, <https://arxiv.org/abs/1512.00567> |
/// | `binary_cross_entropy_with_logits(logits, target)` | `F.binary_cross_entropy_with_logits` |
/// | `mse_loss(input, target)` | `F.mse_loss`: the mean of squares |
/// | `huber_loss(input, target, delta)` | `F.huber_loss`: squares up to `delta`, a line beyond: Huber, *Robust estimation of a location parameter*, 1964 |
/// | `kl_div(input, target)` | `F.kl_div(reduction="batchmean")`: of the logarithms of probabilities from probabilities along the last axis: Kullback and Leibler, *On information and sufficiency*, 1951 |
#[kernel]
pub mod losses {
    pub fn cross_entropy<T: Float, I: Int, B: Dims, const CLASSES: usize>(
        logits: Tensor<T, B, CLASSES>,
        labels: Tensor<I, B>,
    ) -> Tensor<T> {
        cross_entropy_smooth(logits, labels, 0.0)
    }

    pub fn cross_entropy_smooth<T: Float, I: Int, B: Dims, const CLASSES: usize>(
        logits: Tensor<T, B, CLASSES>,
        labels: Tensor<I, B>,
        label_smoothing: f64,
    ) -> Tensor<T> {
        let logs = logits.log_softmax(-1);
        let right = logs.take_along_axis(labels.insert_axis(-1), -1).mean();
        if label_smoothing == 0.0 {
            -right
        } else {
            let share = label_smoothing as T;
            -(right * (1.0 - share) + logs.mean() * share)
        }
    }

    pub fn binary_cross_entropy_with_logits<T: Float, B: Dims>(
        logits: Tensor<T, B>,
        target: Tensor<T, B>,
    ) -> Tensor<T> {
        (logits.softplus() - logits * target).mean()
    }

    pub fn mse_loss<T: Float, B: Dims>(input: Tensor<T, B>, target: Tensor<T, B>) -> Tensor<T> {
        let error = input - target;
        (error * error).mean()
    }

    pub fn huber_loss<T: Float, B: Dims>(
        input: Tensor<T, B>,
        target: Tensor<T, B>,
        delta: f64,
    ) -> Tensor<T> {
        let delta = delta as T;
        let error = (input - target).abs();
        let line = delta * (error - 0.5 * delta);
        select(error <= delta, 0.5 * error * error, line).mean()
    }

    pub fn kl_div<T: Float, B: Dims, const CLASSES: usize>(
        input: Tensor<T, B, CLASSES>,
        target: Tensor<T, B, CLASSES>,
    ) -> Tensor<T> {
        let some = target > 0.0;
        let logs = select(some, target, 1.0).ln();
        let terms = select(some, target * (logs - input), 0.0);
        terms.sum_axis(-1).mean()
    }
}
