// A step of bodies that attract each other.
// N = 64
// positive: m
pub fn bodies<const N: usize>(
    &self,
    x: Tensor<f64, N, 3>,
    v: Tensor<f64, N, 3>,
    m: Tensor<f64, N>,
) -> (Tensor<f64, N, 3>, Tensor<f64, N, 3>, Tensor<f64>) {
    let d = x.insert_axis(0) - x.insert_axis(1);
    let r2 = (d * d).sum_axis(2) + 1e-4;
    let w = m / (r2 * r2.sqrt());
    let a = (d * w.insert_axis(2)).sum_axis(1);
    let v2 = v + a * 0.01;
    (x + v2 * 0.01, v2, ((v2 * v2).sum_axis(1) * m).sum() * 0.5)
}
