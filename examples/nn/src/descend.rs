//! See [`optimizers`].

use iree_dsl::prelude::*;

/// Steps down a slope. Parameters, their gradients and the state of an optimiser are trees of one structure; what has
/// been learnt so far is a global of the type of the state, which begins with zeros.
///
/// | kernel | source | in Optax |
/// |---|---|---|
/// | `sgd(params, grads, learning_rate)` | Robbins and Monro, *A stochastic approximation method*, 1951 | `sgd` |
/// | `momentum(state, params, grads, learning_rate, decay, nesterov)` | Polyak, 1964; Nesterov, 1983; as in Sutskever et al., *On the importance of initialization and momentum in deep learning*, 2013 | `sgd(momentum, nesterov)` |
/// | `adam(state, params, grads, learning_rate)` | Kingma and Ba, *Adam: a method for stochastic optimization*, 2015, <https://arxiv.org/abs/1412.6980> | `adam` |
/// | `adamw(state, params, grads, learning_rate, weight_decay)` | Loshchilov and Hutter, *Decoupled weight decay regularization*, 2019, <https://arxiv.org/abs/1711.05101> | `adamw` |
/// | `adamw_with(state, params, grads, learning_rate, weight_decay, b1, b2, eps)` | the same | `adamw` |
/// | `lion(state, params, grads, learning_rate, weight_decay)` | Chen et al., *Symbolic discovery of optimization algorithms*, 2023, <https://arxiv.org/abs/2302.06675> | `lion` |
/// | `lion_with(state, params, grads, learning_rate, weight_decay, b1, b2)` | the same | `lion` |
///
/// Those with a state return `(params, state)`. Where nothing else is given, `b1` is 0.9, `b2` is 0.999 and `eps` is 1e-8 for
/// Adam, and `b1` is 0.9 and `b2` is 0.99 for Lion. Weights decay at the learning rate, all leaves of the tree alike.
#[kernel]
pub mod optimizers {
    /// What `momentum` keeps.
    #[derive(Clone, Debug)]
    pub struct Momentum<P> {
        /// The decaying sum of the gradients.
        pub trace: P,
    }

    /// What `adam` and `adamw` keep.
    #[derive(Clone, Debug)]
    pub struct Adam<P> {
        /// The number of steps so far.
        pub count: Tensor<i32>,
        /// The decaying mean of the gradients.
        pub mu: P,
        /// The decaying mean of their squares.
        pub nu: P,
    }

    /// What `lion` keeps.
    #[derive(Clone, Debug)]
    pub struct Lion<P> {
        /// The decaying mean of the gradients.
        pub mu: P,
    }

    pub fn sgd<P>(params: P, grads: P, learning_rate: Tensor<f32>) -> P {
        zip_tree(params, grads, |p, g| p - scaled(g, learning_rate))
    }

    pub fn momentum<P>(
        state: Momentum<P>,
        params: P,
        grads: P,
        learning_rate: Tensor<f32>,
        decay: f64,
        nesterov: bool,
    ) -> (P, Momentum<P>) {
        let trace = zip_tree(state.trace, grads, |t, g| g + t * decay);
        let updates = if nesterov {
            zip_tree(trace, grads, |t, g| g + t * decay)
        } else {
            trace
        };
        (sgd(params, updates, learning_rate), Momentum { trace })
    }

    pub fn adam<P>(
        state: Adam<P>,
        params: P,
        grads: P,
        learning_rate: Tensor<f32>,
    ) -> (P, Adam<P>) {
        adamw(state, params, grads, learning_rate, 0.0)
    }

    pub fn adamw<P>(
        state: Adam<P>,
        params: P,
        grads: P,
        learning_rate: Tensor<f32>,
        weight_decay: f64,
    ) -> (P, Adam<P>) {
        adamw_with(
            state,
            params,
            grads,
            learning_rate,
            weight_decay,
            0.9,
            0.999,
            1e-8,
        )
    }

    pub fn adamw_with<P>(
        state: Adam<P>,
        params: P,
        grads: P,
        learning_rate: Tensor<f32>,
        weight_decay: f64,
        b1: f64,
        b2: f64,
        eps: f64,
    ) -> (P, Adam<P>) {
        let count = state.count + 1;
        let mu = mean(state.mu, grads, b1);
        let nu = mean(state.nu, map_tree(grads, |g| g * g), b2);
        let (first, second) = (correction(b1, count), correction(b2, count));
        let updates = zip_tree(mu, nu, |m, n| {
            scaled(m, first) / (scaled(n, second).sqrt() + eps)
        });
        let decayed = zip_tree(updates, params, |u, p| u + p * weight_decay);
        (sgd(params, decayed, learning_rate), Adam { count, mu, nu })
    }

    pub fn lion<P>(
        state: Lion<P>,
        params: P,
        grads: P,
        learning_rate: Tensor<f32>,
        weight_decay: f64,
    ) -> (P, Lion<P>) {
        lion_with(state, params, grads, learning_rate, weight_decay, 0.9, 0.99)
    }

    pub fn lion_with<P>(
        state: Lion<P>,
        params: P,
        grads: P,
        learning_rate: Tensor<f32>,
        weight_decay: f64,
        b1: f64,
        b2: f64,
    ) -> (P, Lion<P>) {
        let directions = map_tree(mean(state.mu, grads, b1), |m| sign(m));
        let decayed = zip_tree(directions, params, |u, p| u + p * weight_decay);
        let mu = mean(state.mu, grads, b2);
        (sgd(params, decayed, learning_rate), Lion { mu })
    }

    fn mean<P>(mean: P, x: P, decay: f64) -> P {
        zip_tree(mean, x, |m, x| m * decay + x * (1.0 - decay))
    }

    /// What a decaying mean that began with zero is multiplied by. 1 - decayⁿ, with all its digits.
    fn correction(decay: f64, count: Tensor<i32>) -> Tensor<f32> {
        -1.0 / (count as f32 * decay.ln() as f32).exp_m1()
    }

    fn sign<P>(x: P) -> P {
        select(x == 0.0, zeros_like(x), x.signum())
    }

    fn scaled<T: Float, B: Dims>(x: Tensor<T, B>, by: Tensor<f32>) -> Tensor<T, B> {
        x * by as T
    }
}
