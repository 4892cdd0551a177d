// The derivatives of a gated recurrent net over sequences of any length with masks.
// S = 12
// B = 5
pub fn gru_grad<const S: usize, const B: usize>(
    &self,
    xs: Tensor<f32, S, B, 8>,
    mask: Tensor<bool, S, B>,
    w: Tensor<f32, 8, 48>,
    u: Tensor<f32, 16, 48>,
) -> (Tensor<f32, 8, 48>, Tensor<f32, 16, 48>) {
    let loss = |w: Tensor<f32, 8, 48>, u: Tensor<f32, 16, 48>| {
        let step = |h: Tensor<f32, B, 16>, given: (Tensor<f32, B, 8>, Tensor<bool, B>)| {
            let (x, m) = given;
            let (a, b) = (x.dot(w), h.dot(u));
            let r = (a[s![.., ..16]] + b[s![.., ..16]]).sigmoid();
            let z = (a[s![.., 16..32]] + b[s![.., 16..32]]).sigmoid();
            let n = (a[s![.., 32..]] + r * b[s![.., 32..]]).tanh();
            let next = select(m.insert_axis(1), z * h + (1.0 - z) * n, h);
            (next, ())
        };
        let (last, _) = scan(zeros::<f32, B, 16>(), (xs, mask), step);
        (last * last).sum()
    };
    grad::<0, 1>(loss)(w, u)
}
