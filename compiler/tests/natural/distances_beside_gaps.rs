// Differences of all pairs of soft scores, beside how far each is above the least.
// N = 9
pub fn distances_beside_gaps<const N: usize>(&self, x: Tensor<f32, N, 12>, y: Tensor<f32, N, 12>) -> (Tensor<f32, N>, Tensor<f32, N, N>) {
    let least = y.min_axis(1);
    let soft = x.logsumexp_axis(1);
    (soft - least, soft.insert_axis(1) - soft.insert_axis(0))
}
