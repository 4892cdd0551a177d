// Layers with one bias, the second around the first.
// N = 150, 1
pub fn layers_with_one_bias<const N: usize>(&self, x: Tensor<f32, N, 24>, w: Tensor<f32, 24, 24>, b: Tensor<f32, 24>) -> Tensor<f32, N, 24> {
    let a = x.normalize_axis(-1, 1e-6);
    let hidden = (a.dot(w) + b).gelu();
    let next = (hidden.dot(w) + b).gelu();
    (a + next.dot(w.t()) + b).normalize_axis(-1, 1e-6)
}
