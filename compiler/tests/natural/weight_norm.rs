// Layers whose weights are directions and lengths, one of them transposed.
// B = 13
pub fn weight_norm<const B: usize>(
    &self,
    x: Tensor<f32, B, 64>,
    v: Tensor<f32, 64, 64>,
    g: Tensor<f32, 64>,
) -> Tensor<f32, B, 64> {
    let w = v / v.powi(2).sum_axis(0).sqrt() * g;
    let h = x.dot(w).relu();
    let h = h.dot(w.t()).tanh();
    h.dot(w) + x
}
