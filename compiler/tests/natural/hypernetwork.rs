// A net whose weights another net computes, and uses in several ways.
// B = 11
pub fn hypernetwork<const B: usize>(
    &self,
    x: Tensor<f32, B, 16>,
    z: Tensor<f32, 8>,
    weights: Tensor<f32, 8, 256>,
    last: Tensor<f32, 8, 64>,
) -> Tensor<f32, B, 4> {
    let w = z.dot(weights).reshape([16, 16]).tanh();
    let v = z.dot(last).reshape([16, 4]);
    let h = x.dot(w).relu() + x.dot(w.t());
    h.dot(v) + h.dot(w.softmax(1)).dot(v)
}
