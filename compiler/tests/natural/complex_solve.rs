// What a triangular system of complex numbers gives back, for a vector.
// N = 3
pub fn complex_solve<const N: usize>(&self, m: Tensor<Complex<f64>, N, N>, b: Tensor<Complex<f64>, N>, d: Tensor<Complex<f64>, N>) -> Tensor<Complex<f64>, N> {
    let (_, back) = vjp(|b: Tensor<Complex<f64>, N>| triangular_solve!(m, b), b);
    back(d)
}
