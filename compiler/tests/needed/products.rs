// A vector times the squares of a matrix.
// without: refused
pub fn products(&self, x: Tensor<f32, 64, 784>, v: Tensor<f32, 64>) -> Tensor<f32, 784> {
    v.dot(x * x)
}
