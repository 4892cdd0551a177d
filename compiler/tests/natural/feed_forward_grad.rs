// The derivatives of a feed-forward net of tokens by its weights and offsets.
pub fn feed_forward_grad(
    &self,
    x: Tensor<f32, 4, 128, 64>,
    y: Tensor<f32, 4, 128, 64>,
    up: Tensor<f32, 64, 512>,
    first: Tensor<f32, 512>,
    down: Tensor<f32, 512, 64>,
    second: Tensor<f32, 64>,
) -> (Tensor<f32, 64, 512>, Tensor<f32, 512>, Tensor<f32, 512, 64>, Tensor<f32, 64>) {
    grad::<0, 1, 2, 3>(
        |up: Tensor<f32, 64, 512>, first: Tensor<f32, 512>, down: Tensor<f32, 512, 64>, second: Tensor<f32, 64>| {
            let h = (x.matmul(up) / 8.0 + first).silu();
            let error = h.matmul(down) / 16.0 + second - y;
            (error * error).mean()
        },
    )(up, first, down, second)
}
