// Normalized rows that become factors in two ways.
// without: refused
pub fn several(&self, x: Tensor<f32, 256, 1024>, w: Tensor<f32, 1024, 64>) -> (Tensor<f32, 256, 64>, Tensor<f32, 256, 64>) {
    let h = x.normalize_axis(-1);
    (h.tanh().dot(w), h.exp().dot(w))
}
