// A layer of a highway network, whose input is the output of another activation.
pub fn highway(&self, x: Tensor<f32, 32, 64>, w: Tensor<f32, 64, 64>, gate: Tensor<f32, 64, 64>) -> Tensor<f32, 32, 64> {
    let h = x.tanh();
    let open = h.matmul(gate).sigmoid();
    open * h.matmul(w).relu() + (1.0 - open) * h
}
