// A product without its first row.
// N = 3
// without: refused
pub fn parts<const N: usize>(&self, x: Tensor<f32, 64, N>, y: Tensor<f32, N, 64>) -> Tensor<f32, 63, 64> {
    x.matmul(y)[s![1.., ..]]
}
