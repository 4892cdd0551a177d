// Cox's partial likelihood of survival times in any order, its gradient and the matrix of its second derivatives.
// N = 60
// positive: time
pub fn cox_regression<const N: usize>(
    &self,
    beta: Tensor<f64, 5>,
    x: Tensor<f64, N, 5>,
    time: Tensor<f64, N>,
    event: Tensor<bool, N>,
) -> (Tensor<f64>, Tensor<f64, 5>, Tensor<f64, 5, 5>) {
    let loss = |beta: Tensor<f64, 5>| {
        let order = (-time).argsort(0);
        let score = x.take(order, 0).dot(beta);
        let largest = score.max().stop_gradient();
        let at_risk = (score - largest).exp().cumsum(0).ln() + largest;
        -select(event.take(order, 0), score - at_risk, 0.0).sum()
    };
    let (value, slope) = value_and_grad(loss)(beta);
    (value, slope, hessian(loss)(beta))
}
