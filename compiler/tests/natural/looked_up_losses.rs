// The mean of what each row looks up, the sums of rows in reverse, and slopes of a ReLU by a number, all of some thousands.
// below 20: at
pub fn losses(
    &self,
    x: Tensor<f32, 8, 600, 20>,
    at: Tensor<i32, 8, 600>,
    y: Tensor<f32, 4000, 52>,
    z: Tensor<f32, 2, 24, 24, 128>,
    g: Tensor<f32>,
) -> (Tensor<f32>, (Tensor<f32>, Tensor<f32>), (Tensor<f32, 2, 24, 24, 128>, Tensor<f32>)) {
    let back = y.reverse(1);
    let slopes = grad::<0, 1>(|s: Tensor<f32, 2, 24, 24, 128>, g: Tensor<f32>| (z + g * s).relu().powi(2).mean());
    (
        x.log_softmax(-1).take_along_axis(at.insert_axis(2), 2).mean(),
        (back.sum(), (back * y).sum()),
        slopes(z * 0.5, g),
    )
}
