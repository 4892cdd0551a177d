// The rows of a matrix in order, times what is computed before.
// N = 12
// without: refused
pub fn across<const N: usize>(&self, x: Tensor<f32, N, 5>, w: Tensor<f32, 5, 7>) -> Tensor<f32, N, 7> {
    let factor = w.tanh();
    x.sort(0).dot(factor)
}
