// A triplet loss with the hardest examples of a batch.
// N = 48
// below 6: y
pub fn triplet_loss<const N: usize>(
    &self,
    x: Tensor<f32, N, 64>,
    y: Tensor<i32, N>,
) -> Tensor<f32> {
    let n = (x * x).sum_axis(1);
    let d = (n.insert_axis(1) + n - x.dot(x.t()) * 2.0)
        .maximum(0.0)
        .sqrt();
    let same = y.insert_axis(1) == y;
    let pos = select(same, d, full_like(d, 0.0)).max_axis(1);
    let neg = select(same, full_like(d, 1e9), d).min_axis(1);
    (pos - neg + 0.2).relu().mean()
}
