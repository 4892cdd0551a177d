// A product, and the sum of that and of what has an axis more.
// without: refused
pub fn summed(&self, x: Tensor<f32, 64, 64>, y: Tensor<f32, 7, 64, 64>) -> (Tensor<f32>, Tensor<f32, 64, 64>) {
    let p = x.dot(x);
    ((p + y).sum(), p)
}
