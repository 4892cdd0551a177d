// Two coupling layers of a normalising flow, and the density of what they give.
// B = 14
pub fn coupling<const B: usize>(
    &self,
    x: Tensor<f32, B, 8>,
    w1: Tensor<f32, 4, 16>,
    ws: Tensor<f32, 16, 4>,
    wt: Tensor<f32, 16, 4>,
) -> (Tensor<f32, B, 8>, Tensor<f32, B>) {
    let (a, b) = (x[s![.., ..4]], x[s![.., 4..]]);
    let h = a.dot(w1).tanh();
    let (s, t) = (h.dot(ws).tanh(), h.dot(wt));
    let b = b * s.exp() + t;
    let h = b.dot(w1).tanh();
    let (s2, t2) = (h.dot(ws).tanh(), h.dot(wt));
    let a = a * s2.exp() + t2;
    let z = concatenate([a, b], 1);
    (z, s.sum_axis(1) + s2.sum_axis(1) - 0.5 * z.powi(2).sum_axis(1))
}
