// Root mean square normalization of a residual stream, which goes on.
pub fn rmsnorm_residual(
    &self,
    x: Tensor<f32, 8, 128, 512>,
    y: Tensor<f32, 8, 128, 512>,
    g: Tensor<f32, 512>,
) -> (Tensor<f32, 8, 128, 512>, Tensor<f32, 8, 128, 512>) {
    let h = x + y;
    let n = h * ((h * h).mean_axis(-1) + 1e-6).rsqrt().insert_axis(-1) * g;
    (n, h)
}
