// Embeddings with positions, normalized and kept.
// B = 3
// S = 40
// below 1000: ids
pub fn embeddings<const B: usize, const S: usize>(
    &self,
    ids: Tensor<i32, B, S>,
    e: Tensor<f32, 1000, 256>,
    p: Tensor<f32, 512, 256>,
    w: Tensor<f32, 256, 256>,
) -> Tensor<f32, B, S, 256> {
    let h = e.take(ids, 0) + p.take(arange::<i32, S>(), 0);
    h + h.normalize_axis(-1).dot(w)
}
