// Probabilities of the likeliest tokens that make up nine tenths.
pub fn likeliest_tokens(
    &self,
    logits: Tensor<f32, 4, 1000>,
) -> (Tensor<f32, 4, 1000>, Tensor<i32, 4>) {
    let p = (logits * 8.0).softmax(-1);
    let i = (-p).argsort(1);
    let s = p.take_along_axis(i, 1);
    let keep = (s.cumsum(1) - s) < 0.9;
    let kept = select(keep, s, zeros_like(s));
    (kept / kept.sum_axis(1).insert_axis(1), i[s![.., 0]])
}
