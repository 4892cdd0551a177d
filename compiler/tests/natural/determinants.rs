// A determinant, its slope, how that changes along a change, and how the determinant does.
// N = 4
pub fn determinants(&self, x: Tensor<f64, 4, 4>, change: Tensor<f64, 4, 4>) -> (Tensor<f64>, Tensor<f64, 4, 4>, Tensor<f64, 4, 4>, Tensor<f64>) {
    let det = |x: Tensor<f64, 4, 4>| x.det();
    let (value, pushed) = jvp(det, x, change);
    let slope = grad(det)(x);
    let turned = grad(|x: Tensor<f64, 4, 4>| (grad(det)(x) * change).sum())(x);
    (value, slope, turned, pushed)
}
