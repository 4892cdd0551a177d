// A layer of gated numbers, added to the gates.
// B = 37, 1
pub fn gates_around_layers<const B: usize>(
    &self,
    x: Tensor<f32, B, 16>,
    a: Tensor<f32, 16, 16>,
    w: Tensor<f32, 16, 16>,
) -> Tensor<f32, B, 16> {
    let gates = x.tanh();
    gates + (gates * x).dot(a).tanh().dot(w)
}
