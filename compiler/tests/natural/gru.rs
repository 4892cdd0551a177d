// A GRU over a sequence.
// T = 20
pub fn gru<const T: usize>(
    &self,
    xs: Tensor<f32, T, 16, 32>,
    w: Tensor<f32, 32, 96>,
    u: Tensor<f32, 32, 96>,
) -> (Tensor<f32, 16, 32>, Tensor<f32, T, 16, 32>) {
    scan(zeros::<f32, 16, 32>(), xs, |h, x| {
        let a = x.dot(w);
        let b = h.dot(u);
        let r = (a[s![.., ..32]] + b[s![.., ..32]]).sigmoid();
        let z = (a[s![.., 32..64]] + b[s![.., 32..64]]).sigmoid();
        let n = (a[s![.., 64..]] + r * b[s![.., 64..]]).tanh();
        let h = (1.0 - z) * n + z * h;
        (h, h)
    })
}
