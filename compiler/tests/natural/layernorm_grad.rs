// Layer normalization with scale and shift, and its derivatives.
pub fn layernorm_grad(
    &self,
    x: Tensor<f32, 64, 512>,
    g: Tensor<f32, 512>,
    b: Tensor<f32, 512>,
    y: Tensor<f32, 64, 512>,
) -> (
    Tensor<f32>,
    Tensor<f32, 64, 512>,
    Tensor<f32, 512>,
    Tensor<f32, 512>,
) {
    let (l, (a, c, d)) = value_and_grad::<0, 1, 2>(
        |x: Tensor<f32, 64, 512>, g: Tensor<f32, 512>, b: Tensor<f32, 512>| {
            let e = x.normalize_axis(-1) * g + b - y;
            (e * e).mean()
        },
    )(x, g, b);
    (l, a, c, d)
}
