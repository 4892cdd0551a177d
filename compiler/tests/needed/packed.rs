// A factor of a product, and the sum of its squares.
// without: refused
pub fn packed(&self, x: Tensor<f32, 5, 5>, y: Tensor<f32, 5, 5>) -> (Tensor<f32>, Tensor<f32, 5, 5>) {
    let h = x.dot(y).minimum(9.0);
    ((h * h).sum(), x.dot(h))
}
