// The largest singular value, by the power method.
pub fn singular_value(
    &self,
    a: Tensor<f64, 200, 50>,
) -> (Tensor<f64>, Tensor<f64, 200>, Tensor<f64, 50>) {
    let mut v = ones::<f64, 50>();
    for _ in 0..100 {
        let u = a.dot(v);
        let w = a.t().dot(u);
        v = w / (w * w).sum().sqrt();
    }
    let u = a.dot(v);
    let s = (u * u).sum().sqrt();
    (s, u / s, v)
}
