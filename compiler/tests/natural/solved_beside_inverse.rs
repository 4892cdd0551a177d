// A system of equations that is solved by its factor, beside the inverse.
pub fn solved_beside_inverse(
    &self,
    a: Tensor<f64, 3, 3>,
    b: Tensor<Complex<f64>, 3>,
) -> (Tensor<Complex<f64>, 3>, Tensor<Complex<f64>, 3, 3>) {
    let a = complex(a.dot(a.t()) + 3.0 * eye(), a - a.t());
    let l = a.cholesky();
    (triangular_solve!(l.t().conj(), triangular_solve!(l, b), lower = false), a.inv())
}
