// Two systems with one matrix, of complex numbers.
pub fn two_solves(&self, r: Tensor<Complex<f64>, 4, 4>, x: Tensor<f64, 4>) -> (Tensor<Complex<f64>, 4>, Tensor<Complex<f64>, 4>) {
    let s = complex(x.cos(), x.sin());
    let w = r.solve(s);
    (w, r.solve(s * s))
}
