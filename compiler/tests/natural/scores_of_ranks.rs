// How the scores of sorted measurements change with each weight, and with each weight alone.
// N = 20
pub fn scores_of_ranks<const N: usize>(
    &self,
    weights: Tensor<f64, 5>,
    x: Tensor<f64, N, 5>,
) -> (Tensor<f64, N, 5>, Tensor<f64, N, 5>) {
    let score = |weights: Tensor<f64, 5>| x.sort(0).dot(weights).exp();
    let alone = vmap(score)(eye::<f64, 5, 5>() * weights).t();
    (jacfwd(score)(weights), alone)
}
