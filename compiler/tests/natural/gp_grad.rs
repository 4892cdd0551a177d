// The likelihood of a Gaussian process, and its derivatives by the logarithms of length, height and noise.
pub fn gp_grad(&self, x: Tensor<f64, 40, 3>, y: Tensor<f64, 40>, p: Tensor<f64, 3>) -> (Tensor<f64>, Tensor<f64, 3>) {
    value_and_grad(|p: Tensor<f64, 3>| {
        let p = p.exp();
        let squares = (x * x).sum_axis(1);
        let distances = squares.insert_axis(1) + squares.insert_axis(0) - x.dot(x.t()) * 2.0;
        let k = (distances / (p[0] * p[0]) * -0.5).exp() * p[1] + eye::<f64, 40, 40>() * (p[2] + 0.1);
        let l = k.cholesky();
        let a = triangular_solve!(l, y.insert_axis(1));
        (a * a).sum() * 0.5 + (l * eye()).sum_axis(1).ln().sum()
    })(p)
}
