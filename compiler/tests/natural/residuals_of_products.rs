// Products of what is computed of a product, with what else that becomes added, of unknown sizes.
// N = 5, 40
pub fn residuals_of_products<const N: usize>(&self, x: Tensor<f32, N, 64>, w: Tensor<f32, 64, 64>, a: Tensor<f64, N, N>) -> ([(Tensor<f32, N, 64>, Tensor<f32, N, 64>); 3], (Tensor<f64, N, N>, Tensor<f64, N, N>)) {
    let b = x.dot(w);
    let (c, d) = (b.tanh(), b.sin());
    let e = x.exp();
    let f = e * 0.5;
    let p = a.dot(a);
    let q = 0.1 * p;
    ([(x - c, c + b.dot(w)), (d * 2.0, c * d.dot(w)), (x - f, f + e.dot(w))], (a - q, q + p.dot(a)))
}
