// Logistic regression with a penalty, and its derivatives.
// N = 90
// positive: y
pub fn logistic_regression<const N: usize>(
    &self,
    x: Tensor<f32, N, 30>,
    y: Tensor<f32, N>,
    w: Tensor<f32, 30>,
    b: Tensor<f32>,
) -> (Tensor<f32>, Tensor<f32, 30>, Tensor<f32>) {
    let (l, (dw, db)) = value_and_grad::<0, 1>(|w: Tensor<f32, 30>, b: Tensor<f32>| {
        let z = x.dot(w) + b;
        (z.softplus() - y * z).mean() + (w * w).sum() * 0.01
    })(w, b);
    (l, dw, db)
}
