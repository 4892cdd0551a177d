// The first principal component, by the power method.
// N = 50
pub fn principal_component<const N: usize>(
    &self,
    x: Tensor<f64, N, 10>,
) -> (Tensor<f64, 10>, Tensor<f64>) {
    let c = x - x.mean_axis(0);
    let s = c.t().dot(c) / 50.0;
    let mut v = ones::<f64, 10>();
    for _ in 0..60 {
        let w = s.dot(v);
        v = w / (w * w).sum().sqrt();
    }
    (v, v.dot(s.dot(v)) / (s * eye::<f64, 10, 10>()).sum())
}
