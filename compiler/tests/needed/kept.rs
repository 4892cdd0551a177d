// A product, and the squares of its elements.
// without: refused
pub fn kept(&self, x: Tensor<f32, 512, 128>, w: Tensor<f32, 512, 128>) -> (Tensor<f32, 512, 512>, Tensor<f32, 512, 512>) {
    let y = x.dot(w.t());
    (y, y * y)
}
