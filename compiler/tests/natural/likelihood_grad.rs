// A Gaussian process: means, variances, and the derivative of the likelihood.
// N = 9
// M = 5
pub fn likelihood_grad<const N: usize, const M: usize>(
    &self,
    x: Tensor<f64, N, 3>,
    y: Tensor<f64, N>,
    z: Tensor<f64, M, 3>,
    log: Tensor<f64, 3>,
) -> (Tensor<f64, M>, Tensor<f64, M>, Tensor<f64>, Tensor<f64, 3>) {
    let l = log.exp();
    let kernel = |a, b, l: Tensor<f64, 3>| {
        let (a, b) = (a / l, b / l);
        let d = (a * a).sum_axis(1).insert_axis(1) + (b * b).sum_axis(1) - 2.0 * a.dot(b.t());
        (-0.5 * d.maximum(0.0)).exp()
    };
    let k = kernel(x, x, l) + eye() * 0.01;
    let c = k.cholesky();
    let alpha = k.solve(y);
    let s = kernel(z, x, l);
    let mean = s.dot(alpha);
    let var = 1.0 - (s * k.solve(s.t()).t()).sum_axis(1);
    let nll = |log: Tensor<f64, 3>| {
        let k = kernel(x, x, log.exp()) + eye() * 0.01;
        0.5 * y.dot(k.solve(y)) + 0.5 * k.det().ln()
    };
    (mean, var, c.diagonal().ln().sum(), grad(nll)(log))
}
