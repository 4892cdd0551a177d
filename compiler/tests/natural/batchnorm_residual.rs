// A layer with batch normalization, scales and a residual connection, and its derivatives.
pub fn batchnorm_residual(
    &self,
    h: Tensor<f64, 128, 256>,
    weights: Tensor<f64, 256, 256>,
    scale: Tensor<f64, 256>,
) -> (Tensor<f64, 256, 256>, Tensor<f64, 256>) {
    grad::<0, 1>(|weights, scale: Tensor<f64, 256>| {
        let normalized = h.dot(weights).normalize_axis(0) * scale;
        (h + normalized.relu()).powi(2).mean()
    })(weights, scale)
}
