// Sums of columns, and of the squares of what is left.
// without: wrong
pub fn again(&self, x: Tensor<f32, 16, 2000>) -> (Tensor<f32, 2000>, Tensor<f32, 2000>) {
    let sum = x.sum_axis(0);
    let y = x - sum;
    (sum, (y * y).sum_axis(0))
}
