// A step of a Kalman filter.
// positive: r
pub fn kalman_filter(
    &self,
    x: Tensor<f64, 4>,
    p: Tensor<f64, 4, 4>,
    z: Tensor<f64, 2>,
    a: Tensor<f64, 4, 4>,
    h: Tensor<f64, 2, 4>,
    q: Tensor<f64, 4, 4>,
    r: Tensor<f64, 2, 2>,
) -> (Tensor<f64, 4>, Tensor<f64, 4, 4>) {
    let x = a.dot(x);
    let p = a.dot(p).dot(a.t()) + q;
    let s = h.dot(p).dot(h.t()) + r;
    let k = s.solve(h.dot(p)).t();
    let x = x + k.dot(z - h.dot(x));
    (x, (eye::<f64, 4, 4>() - k.dot(h)).dot(p))
}
