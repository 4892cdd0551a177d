// A recurrent net, and the derivatives through time.
// T = 15
pub fn recurrent_grad<const T: usize>(
    &self,
    xs: Tensor<f32, T, 8, 16>,
    w: Tensor<f32, 16, 32>,
    u: Tensor<f32, 32, 32>,
) -> (Tensor<f32>, Tensor<f32, 16, 32>, Tensor<f32, 32, 32>) {
    let (l, (a, b)) =
        value_and_grad::<0, 1>(|w: Tensor<f32, 16, 32>, u: Tensor<f32, 32, 32>| {
            let (h, _) = scan(zeros::<f32, 8, 32>(), xs, |h, x| {
                let h = (x.dot(w) + h.dot(u) * 0.1).tanh();
                (h, h.sum())
            });
            (h * h).mean()
        })(w, u);
    (l, a, b)
}
