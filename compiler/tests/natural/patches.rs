// Positions that are added, normalized and kept, as in a vision transformer.
pub fn patches(
    &self,
    x: Tensor<f32, 4, 64, 768>,
    p: Tensor<f32, 64, 768>,
    g: Tensor<f32, 768>,
    b: Tensor<f32, 768>,
    w: Tensor<f32, 768, 32>,
) -> Tensor<f32, 4, 64, 32> {
    let h = x + p;
    let n = h.normalize_axis(-1) * g + b;
    h.mean_axis(-1).insert_axis(-1) + n.dot(w).gelu()
}
