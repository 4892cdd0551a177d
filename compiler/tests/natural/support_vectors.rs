// A step of a linear support vector machine.
// N = 90
pub fn support_vectors<const N: usize>(
    &self,
    x: Tensor<f32, N, 20>,
    y: Tensor<bool, N>,
    w: Tensor<f32, 20>,
) -> (Tensor<f32, 20>, Tensor<f32>) {
    let t = select(y, ones::<f32, N>(), full::<f32, N>(-1.0));
    let m = t * x.dot(w);
    let v = m < 1.0;
    let g = w * 0.01 - (select(v, t, zeros_like(t)).insert_axis(1) * x).mean_axis(0);
    (w - g * 0.1, ((m > 0.0) as f32).mean())
}
