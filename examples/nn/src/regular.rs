//! See [`regularization`].

use iree_dsl::prelude::*;

/// What keeps signals in bounds, and networks from learning by heart.
///
/// | kernel | in PyTorch | source |
/// |---|---|---|
/// | `rms_norm(norm, x, eps)` | `nn.RMSNorm(f, eps)` | Zhang and Sennrich, *Root mean square layer normalization*, 2019, <https://arxiv.org/abs/1910.07467> |
/// | `batch_norm(norm, stats, x, training, momentum, eps)` | `nn.BatchNorm1d`, `nn.BatchNorm2d`, … | Ioffe and Szegedy, *Batch normalization*, 2015, <https://arxiv.org/abs/1502.03167> |
/// | `dropout(x, p, key)` | `F.dropout(x, p)` | Srivastava et al., *Dropout*, 2014 |
///
/// `layer_norm` is one of the [`layers`](crate::layers). The features of `batch_norm` have the second axis. In training it
/// normalises by the batch, which is mixed into what it returns beside the result, with a part of `momentum`; else by what
/// it has been given. PyTorch assumes 0.1 for that and 1e-5 for `eps`.
#[kernel]
pub mod regularization {
    /// What rows are scaled by.
    #[derive(Clone, Debug)]
    pub struct RmsNorm<const NORMALIZED_SHAPE: usize, T: Float = f32> {
        /// The root mean squares.
        pub weight: Tensor<T, NORMALIZED_SHAPE>,
    }

    /// What features are scaled and shifted by.
    #[derive(Clone, Debug)]
    pub struct BatchNorm<const NUM_FEATURES: usize, T: Float = f32> {
        /// The standard deviations.
        pub weight: Tensor<T, NUM_FEATURES>,
        /// The means.
        pub bias: Tensor<T, NUM_FEATURES>,
    }

    /// What features have been like so far.
    #[derive(Clone, Debug)]
    pub struct BatchStats<const NUM_FEATURES: usize, T: Float = f32> {
        /// Their means.
        pub running_mean: Tensor<T, NUM_FEATURES>,
        /// Their variances.
        pub running_var: Tensor<T, NUM_FEATURES>,
    }

    pub fn rms_norm<T: Float, B: Dims, const NORMALIZED_SHAPE: usize>(
        norm: RmsNorm<NORMALIZED_SHAPE, T>,
        x: Tensor<T, B, NORMALIZED_SHAPE>,
        eps: f64,
    ) -> Tensor<T, B, NORMALIZED_SHAPE> {
        let square = (x * x).mean_axis(-1).insert_axis(-1);
        x * (square + eps as T).rsqrt() * norm.weight
    }

    pub fn batch_norm<T: Float, B: Dims, const N: usize, const NUM_FEATURES: usize>(
        norm: BatchNorm<NUM_FEATURES, T>,
        stats: BatchStats<NUM_FEATURES, T>,
        x: Tensor<T, N, NUM_FEATURES, B>,
        training: bool,
        momentum: f64,
        eps: f64,
    ) -> (Tensor<T, N, NUM_FEATURES, B>, BatchStats<NUM_FEATURES, T>) {
        let rows = x.reshape([N, NUM_FEATURES, -1]);
        let (mean, var) = if training {
            (rows.mean_axis([0, 2]), rows.var_axis([0, 2]))
        } else {
            (stats.running_mean, stats.running_var)
        };
        let scale = norm.weight * (var + eps as T).rsqrt();
        let y = (rows - mean.insert_axis(-1)) * scale.insert_axis(-1) + norm.bias.insert_axis(-1);
        let stats = if training {
            let part = momentum as T;
            let var = rows.var_axis([0, 2], 1);
            BatchStats {
                running_mean: stats.running_mean * (1.0 - part) + mean * part,
                running_var: stats.running_var * (1.0 - part) + var * part,
            }
        } else {
            stats
        };
        (y.reshape([N, NUM_FEATURES, B]), stop_gradient(stats))
    }

    pub fn dropout<T: Float, B: Dims>(
        x: Tensor<T, B>,
        p: f64,
        key: Tensor<u32, 2>,
    ) -> Tensor<T, B> {
        let keep = random::bernoulli::<bool, B>(key, (1.0 - p) as f32);
        select(keep, x / (1.0 - p) as T, 0.0)
    }
}
