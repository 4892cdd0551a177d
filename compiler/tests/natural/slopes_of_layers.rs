// Slopes of layers with what is computed from their weights besides, and those of a mean that nothing else changes.
// N = 5
// M = 3
pub fn slopes_of_layers<const N: usize, const M: usize>(
    &self,
    weights: Tensor<f32, 2, 2>,
    bias: Tensor<f32, 2>,
    x: Tensor<f32, N, 2>,
    series: Tensor<f32, N, M, 2>,
    queries: Tensor<f32, M, 2>,
) -> ((Tensor<f32, 2, 2>, Tensor<f32, 2>, Tensor<f32, N, 2>), (Tensor<f32, 2, 2>, Tensor<f32, N, M, 2>)) {
    let layer = |w: Tensor<f32, 2, 2>, b: Tensor<f32, 2>, x: Tensor<f32, N, 2>| {
        (x.dot(w) + w.max_axis(0).dot(b)).powi(2).mean()
    };
    let attention = |w: Tensor<f32, 2, 2>, s: Tensor<f32, N, M, 2>| {
        let keys = einsum!("abc,cd->cb", s, w.silu());
        queries.matmul(w).dot(keys).powi(2).mean()
    };
    (grad::<0, 1, 2>(layer)(weights, bias, x), grad::<0, 1>(attention)(weights, series))
}

pub fn slopes_of_means(
    &self,
    left: Tensor<f64, 5, 5>,
    right: Tensor<f64, 4, 4>,
) -> (Tensor<f64, 5, 5>, Tensor<f64, 4, 4>) {
    grad::<0, 1>(|left: Tensor<f64, 5, 5>, right: Tensor<f64, 4, 4>| {
        einsum!("ab,cd->cbd", left, right).mean()
    })(left, right)
}
