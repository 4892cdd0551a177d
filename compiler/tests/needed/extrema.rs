// A product, and where it is largest with something added.
// without: wrong
pub fn extrema(&self, x: Tensor<f32, 64, 32>, w: Tensor<f32, 64, 32>, b: Tensor<f32, 32>) -> (Tensor<f32, 64, 32>, Tensor<i32, 64>) {
    let y = x * w;
    (y, (y + b).argmax_axis(1))
}
