// Group normalization of images to which the time is added, as in diffusion models.
pub fn groupnorm(
    &self,
    x: Tensor<f32, 2, 64, 32, 32>,
    t: Tensor<f32, 2, 64>,
) -> Tensor<f32, 2, 64, 32, 32> {
    let h = x + t.reshape([2, 64, 1, 1]);
    let g = h
        .reshape([2, 8, 8192])
        .normalize_axis(-1)
        .reshape([2, 64, 32, 32]);
    g * g.sigmoid() + x
}
