// Scores of pairs of tags that follow each other, of words that are there, and their slopes.
pub fn pairs(
    &self,
    scores: Tensor<f32, 25>,
    tags: Tensor<i32, 3, 9>,
    mask: Tensor<bool, 3, 9>,
) -> (Tensor<f32>, Tensor<f32, 25>) {
    let seen = (mask as f32)[s![.., 1..]];
    value_and_grad(|scores: Tensor<f32, 25>| {
        let pairs = tags[s![.., ..-1]] * 5 + tags[s![.., 1..]];
        (scores.take(pairs, 0) * seen).sum_axis(1).mean()
    })(scores)
}
