// A product of what is computed, of sizes of the call.
// N = 33
// without: refused
pub fn factors<const N: usize>(&self, x: Tensor<f32, N, N>, y: Tensor<f32, N, N>) -> Tensor<f32, N, N> {
    (x * 2.0).tanh().dot((y + 1.0).sin())
}
