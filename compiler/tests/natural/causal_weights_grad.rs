// The derivative of what is paid to each token by those after it.
// T = 6
pub fn causal_weights_grad<const T: usize>(&self, x: Tensor<f64, T, 3>) -> Tensor<f64, T, 3> {
    grad(|x: Tensor<f64, T, 3>| {
        let row: Tensor<i32, T, T> = iota(0);
        let scores = select(iota(1) <= row, x.matmul(x.t()), full(f64::NEG_INFINITY));
        (scores.softmax(-1).sum_axis(0) * arange()).sum()
    })(x)
}
