// Means of the tokens of each text, of as many tokens as models have: by a mask, by weights, and of what is kept besides.
pub fn pooled(
    &self,
    x: Tensor<f32, 2, 200, 384>,
    mask: Tensor<bool, 2, 200>,
    weights: Tensor<f32, 2, 200>,
) -> (Tensor<f32, 2, 384>, Tensor<f32, 2, 384>, Tensor<f32, 2, 200, 384>, Tensor<f32, 2, 200>) {
    let h = x.normalize_axis(-1);
    let m = (mask as f32).insert_axis(2);
    let centre = (h * m).sum_axis(1) / m.sum_axis(1);
    let near = (h * centre.insert_axis(1)).sum_axis(2);
    (centre, (x.tanh() * weights.insert_axis(2)).sum_axis(1), h, near)
}
