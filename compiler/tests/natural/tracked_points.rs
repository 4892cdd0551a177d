// A Kalman filter over measurements: products, an inverse and a covariance in each step.
// positive: q, r
pub fn tracked_points(
    &self,
    measured: Tensor<f64, 30, 2>,
    a: Tensor<f64, 4, 4>,
    h: Tensor<f64, 2, 4>,
    q: Tensor<f64, 4>,
    r: Tensor<f64, 2>,
) -> (Tensor<f64, 30, 4>, Tensor<f64, 4, 4>) {
    let a = a * 0.1 + eye::<f64, 4, 4>() * 0.5;
    let start = (zeros::<f64, 4>(), eye::<f64, 4, 4>());
    let ((_, p), states) = scan(start, measured, |state, z| {
        let (x, p) = state;
        let x = a.dot(x);
        let p = a.dot(p).dot(a.t()) + eye::<f64, 4, 4>() * q;
        let s = h.dot(p).dot(h.t()) + eye::<f64, 2, 2>() * (r + 1.0);
        let k = p.dot(h.t()).dot(s.inv());
        let x = x + k.dot(z - h.dot(x));
        let p = p - k.dot(h).dot(p);
        ((x, p), x)
    });
    (states, p)
}
