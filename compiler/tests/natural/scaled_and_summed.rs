// What is multiplied by matrices or added to products, scaled, with the sum of what it is computed from.
// N = 5
pub fn scaled_and_summed<const N: usize>(
    &self, x: Tensor<f32, 5, 7>, y: Tensor<f32, 7, 17>, b: Tensor<f32, 17>, c: Tensor<f32>, z: Tensor<f32, N, 7>,
) -> (Tensor<f32, 5, 17>, Tensor<f32>, Tensor<f32, 5, 17>, Tensor<f32, 17>, Tensor<f32, 5, 17>, Tensor<f32, 9>, Tensor<f32, N, 17>, Tensor<f32>) {
    let h = b.tanh();
    let k = b.sin();
    let f = x.tanh();
    let g = z.exp();
    (
        x.dot(y) + h * 2.0,
        h.sum(),
        x.dot(y) + k * c,
        (k * b).sum().broadcast_to([17]),
        (f * c).dot(y),
        (f * x).sum().broadcast_to([9]),
        (g * c).dot(y),
        (g * z).sum(),
    )
}
