// A wide layer with normalized features and one with a residual connection, and their derivatives.
pub fn wide_layer_grad(
    &self,
    x: Tensor<f32, 64, 96>,
    a: Tensor<f32, 96, 1024>,
    b: Tensor<f32, 1024>,
    c: Tensor<f32, 1024, 1024>,
) -> (Tensor<f32, 96, 1024>, Tensor<f32, 1024>, Tensor<f32, 1024, 1024>) {
    grad::<0, 1, 2>(|a, b: Tensor<f32, 1024>, c| {
        let h = (x.dot(a) * 0.04 + b).normalize_axis(-1).gelu();
        (h + h.dot(c).relu()).powi(2).mean()
    })(a, b, c)
}
