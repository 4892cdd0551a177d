// Standard scores of columns, and their correlations.
// N = 250
pub fn standard_scores<const N: usize>(
    &self,
    x: Tensor<f32, N, 40>,
) -> (
    Tensor<f32, N, 40>,
    Tensor<f32, 40>,
    Tensor<f32, 40>,
    Tensor<f32, 40, 40>,
) {
    let m = x.mean_axis(0);
    let s = x.std_axis(0);
    let z = (x - m) / s;
    (z, m, s, z.t().dot(z) / 100.0)
}
