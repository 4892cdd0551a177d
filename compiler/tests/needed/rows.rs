// A product with a column, repeated and reduced.
// without: refused
pub fn rows(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 1>) -> Tensor<f32, 7> {
    (x.matmul(y) + x).max_axis(1)
}
