// The sum of complex numbers whose parts others need.
// N = 300
// without: refused
pub fn reductions<const N: usize>(&self, x: Tensor<Complex<f64>, N>) -> (Tensor<Complex<f64>, N>, Tensor<Complex<f64>>) {
    ((x + 1.0) / x, (x * 2.0 - 1.0).sum())
}
