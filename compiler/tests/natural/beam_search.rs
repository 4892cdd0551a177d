// A step of beam search.
pub fn beam_search(
    &self,
    scores: Tensor<f32, 4>,
    logits: Tensor<f32, 4, 500>,
) -> (Tensor<f32, 4>, Tensor<i32, 4>, Tensor<i32, 4>) {
    let all = (scores.insert_axis(1) + logits.log_softmax(-1)).reshape([2000]);
    let i = (-all).argsort(0)[s![..4]];
    (all.take(i, 0), i / 500, i % 500)
}
