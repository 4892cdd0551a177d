// Ridge regression, with the share of the variance that it explains.
// N = 80
pub fn ridge_regression<const N: usize>(
    &self,
    x: Tensor<f64, N, 12>,
    y: Tensor<f64, N>,
) -> (Tensor<f64, 12>, Tensor<f64>) {
    let xc = x - x.mean_axis(0);
    let w = (xc.t().dot(xc) + eye() * 0.5).solve(xc.t().dot(y - y.mean()));
    let e = y - y.mean() - xc.dot(w);
    (
        w,
        1.0 - (e * e).sum() / ((y - y.mean()) * (y - y.mean())).sum(),
    )
}
