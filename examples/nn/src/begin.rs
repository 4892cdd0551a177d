//! See [`initializers`].

use iree_dsl::prelude::*;

/// What weights begin with: numbers whose variance keeps that of signals through a layer.
///
/// | kernel | standard deviation | source |
/// |---|---|---|
/// | `glorot_uniform(key)`, `glorot_normal(key)` | √(2 / (inputs + outputs)) | Glorot and Bengio, *Understanding the difficulty of training deep feedforward neural networks*, 2010 |
/// | `he_uniform(key)`, `he_normal(key)` | √(2 / inputs) | He et al., *Delving deep into rectifiers*, 2015, <https://arxiv.org/abs/1502.01852> |
/// | `lecun_uniform(key)`, `lecun_normal(key)` | √(1 / inputs) | LeCun et al., *Efficient backprop*, 1998 |
/// | `truncated_normal(key, std)` | nearly the one given: what is more than twice as far from zero is drawn again | |
/// | `orthogonal(key)` | of orthogonal rows of length 1, or columns if there are more rows than columns | Saxe et al., *Exact solutions to the nonlinear dynamics of learning in deep linear neural networks*, 2014, <https://arxiv.org/abs/1312.6120> |
///
/// The first axis of weights is that of the outputs, the second that of the inputs, and further ones are those of a
/// convolution, as in PyTorch. The numbers are those of JAX's `initializers` with `in_axis=1, out_axis=0`, and
/// `column_axis=0`; as there, those called `normal` are truncated.
#[kernel]
pub mod initializers {
    /// The standard deviation of a normal distribution that is cut off at -2 and 2.
    const TRUNCATED: f64 = 0.87962566103423978;

    pub fn glorot_uniform<T: Float, K: Dims, const O: usize, const I: usize>(
        key: Tensor<u32, 2>,
    ) -> Tensor<T, O, I, K> {
        let limit = (6.0 / ((I + O) * ones::<bool, K>().len()) as f64).sqrt() as T;
        random::uniform(key, -limit, limit)
    }

    pub fn glorot_normal<T: Float, K: Dims, const O: usize, const I: usize>(
        key: Tensor<u32, 2>,
    ) -> Tensor<T, O, I, K> {
        let std = (2.0 / ((I + O) * ones::<bool, K>().len()) as f64).sqrt();
        truncated_normal(key, std / TRUNCATED)
    }

    pub fn he_uniform<T: Float, K: Dims, const O: usize, const I: usize>(
        key: Tensor<u32, 2>,
    ) -> Tensor<T, O, I, K> {
        let limit = (6.0 / (I * ones::<bool, K>().len()) as f64).sqrt() as T;
        random::uniform(key, -limit, limit)
    }

    pub fn he_normal<T: Float, K: Dims, const O: usize, const I: usize>(
        key: Tensor<u32, 2>,
    ) -> Tensor<T, O, I, K> {
        let std = (2.0 / (I * ones::<bool, K>().len()) as f64).sqrt();
        truncated_normal(key, std / TRUNCATED)
    }

    pub fn lecun_uniform<T: Float, K: Dims, const O: usize, const I: usize>(
        key: Tensor<u32, 2>,
    ) -> Tensor<T, O, I, K> {
        let limit = (3.0 / (I * ones::<bool, K>().len()) as f64).sqrt() as T;
        random::uniform(key, -limit, limit)
    }

    pub fn lecun_normal<T: Float, K: Dims, const O: usize, const I: usize>(
        key: Tensor<u32, 2>,
    ) -> Tensor<T, O, I, K> {
        let std = (1.0 / (I * ones::<bool, K>().len()) as f64).sqrt();
        truncated_normal(key, std / TRUNCATED)
    }

    pub fn truncated_normal<T: Float, B: Dims>(key: Tensor<u32, 2>, std: f64) -> Tensor<T, B> {
        random::truncated_normal(key, -2.0, 2.0) * std as T
    }

    pub fn orthogonal<T: Float, const O: usize, const I: usize>(
        key: Tensor<u32, 2>,
    ) -> Tensor<T, O, I> {
        if O > I {
            orthonormal(random::normal::<T, O, I>(key))
        } else {
            orthonormal(random::normal::<T, I, O>(key)).t()
        }
    }

    /// The first factor of the decomposition QR, with a positive diagonal in the second: Cholesky's decomposition of the
    /// products of columns, twice, as in Yamamoto et al., *Roundoff error analysis of the CholeskyQR2 algorithm*, 2015.
    fn orthonormal<T: Float, const M: usize, const N: usize>(
        a: Tensor<T, M, N>,
    ) -> Tensor<T, M, N> {
        let mut q = a as f64;
        for _ in 0..2 {
            let triangle = q.t().dot(q).cholesky();
            q = triangular_solve!(triangle, q.t()).t();
        }
        q as T
    }
}
