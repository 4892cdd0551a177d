// Weighted mean, covariance, skewness and kurtosis.
// N = 120
// positive: w
pub fn moments<const N: usize>(
    &self,
    x: Tensor<f64, N, 5>,
    w: Tensor<f64, N>,
) -> (
    Tensor<f64, 5>,
    Tensor<f64, 5, 5>,
    Tensor<f64, 5>,
    Tensor<f64, 5>,
) {
    let t = w.sum();
    let m = w.dot(x) / t;
    let c = x - m;
    let s = (c * w.insert_axis(1)).t().dot(c) / t;
    let v = (s * eye()).sum_axis(1);
    let sk = (w.insert_axis(1) * c.powi(3)).sum_axis(0) / t / v.powf(1.5);
    (
        m,
        s,
        sk,
        (w.insert_axis(1) * c.powi(4)).sum_axis(0) / t / (v * v) - 3.0,
    )
}
