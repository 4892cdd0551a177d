// A block of a transformer that normalizes first.
pub fn prenorm_block(
    &self,
    x: Tensor<f32, 2, 64, 256>,
    wq: Tensor<f32, 256, 256>,
    wk: Tensor<f32, 256, 256>,
    wv: Tensor<f32, 256, 256>,
    wo: Tensor<f32, 256, 256>,
    w1: Tensor<f32, 256, 1024>,
    w2: Tensor<f32, 1024, 256>,
) -> Tensor<f32, 2, 64, 256> {
    let h = x.normalize_axis(-1);
    let q = h.dot(wq).reshape([2, 64, 4, 64]).swap_axes(1, 2);
    let k = h.dot(wk).reshape([2, 64, 4, 64]).swap_axes(1, 2);
    let v = h.dot(wv).reshape([2, 64, 4, 64]).swap_axes(1, 2);
    let a = (q.matmul(k.swap_axes(2, 3)) / 8.0)
        .softmax(-1)
        .matmul(v)
        .swap_axes(1, 2)
        .reshape([2, 64, 256]);
    let x = x + a.dot(wo);
    let h = x.normalize_axis(-1);
    x + h.dot(w1).gelu().dot(w2)
}
