// Two layers of attention, of which neither sees what fills up shorter texts.
pub fn layers(
    &self,
    w: [Tensor<f32, 32, 96>; 2],
    x: Tensor<f32, 2, 128, 32>,
    mask: Tensor<bool, 2, 128>,
) -> (Tensor<f32, 2, 128, 32>, Tensor<f32, 2, 32>) {
    let seen = mask.insert_axis(1).insert_axis(1);
    let mut x = x;
    for w in w {
        let parts = x.dot(w).split(3, -1);
        let heads = |part: Tensor<f32, 2, 128, 32>| part.reshape([2, 128, 2, 16]).swap_axes(1, 2);
        let scores = heads(parts[0]).matmul(heads(parts[1]).swap_axes(-2, -1)) / 4.0;
        let attended = select(seen, scores, -1e38).softmax(-1).matmul(heads(parts[2]));
        let joined = x + attended.swap_axes(1, 2).reshape([2, 128, 32]);
        x = joined.normalize_axis(-1);
    }
    let weights = (mask as f32).insert_axis(2);
    (x, (x * weights).sum_axis(1) / weights.sum_axis(1))
}
