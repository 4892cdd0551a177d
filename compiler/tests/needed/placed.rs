// Scores with the numbers of their rows, the other way round.
// without: refused
pub fn placed(&self, x: Tensor<f32, 64, 64>, w: Tensor<f32, 64, 64>) -> Tensor<f32, 64, 64> {
    (x.matmul(w) + iota(0)).t()
}
