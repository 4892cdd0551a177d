// What is between the blocks of a DenseNet: a kernel of one that lessens the channels, and the mean of neighbours.
// B = 3
pub fn transition_grad<const B: usize>(
    &self,
    x: Tensor<f32, B, 8, 8, 64>,
    kernel: Tensor<f32, 1, 1, 64, 24>,
) -> (Tensor<f32, B, 8, 8, 64>, Tensor<f32, 1, 1, 64, 24>) {
    grad::<0, 1>(|x: Tensor<f32, B, 8, 8, 64>, kernel| {
        avg_pool!(conv!(x.tanh(), kernel), window = [2, 2]).powi(2).mean()
    })(x, kernel)
}
