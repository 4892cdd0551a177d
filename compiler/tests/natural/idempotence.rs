// How far a matrix is from a projection, and where to go to be closer to one.
pub fn idempotence(
    &self,
    x: Tensor<f64, 33, 33>,
    y: Tensor<f64, 17, 17>,
) -> (Tensor<f64>, Tensor<f64, 33, 33>, Tensor<f64, 17, 17>) {
    let (error, slope) = value_and_grad(|x: Tensor<f64, 33, 33>| (x.dot(x) - x).powi(2).mean())(x);
    let twice = y * 2.0;
    (error, slope, twice.t().dot(y).t() - twice + twice.dot(y.t()))
}
