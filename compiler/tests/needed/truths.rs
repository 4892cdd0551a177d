// What is more than zero, and the means of it along two axes.
// without: refused
pub fn truths(&self, x: Tensor<f32, 2, 28, 28, 64>, b: Tensor<f32, 64>) -> (Tensor<f32, 2, 64>, Tensor<bool, 2, 28, 28, 64>) {
    let h = x + b;
    let seen = h > 0.0;
    (select(seen, h, 0.0).mean_axis([1, 2]), seen)
}
