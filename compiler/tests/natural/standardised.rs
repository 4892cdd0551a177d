// Series standardised the natural way.
// N = 5000, 3
pub fn standardised<const N: usize>(&self, x: Tensor<f32, N>, y: Tensor<f64, N, 3>) -> (Tensor<f32, N>, Tensor<f64, N, 3>) {
    ((x - x.mean()) / x.std(), (y - y.mean_axis(0)) / y.std_axis(0))
}
