// Masked attention of several heads with the mean over what is there.
// B = 3
// S = 29
pub fn masked_attention<const B: usize, const S: usize>(
    &self,
    x: Tensor<f32, B, S, 384>,
    mask: Tensor<bool, B, S>,
    w: Tensor<f32, 384, 1152>,
    wo: Tensor<f32, 384, 384>,
) -> (Tensor<f32, B, S, 384>, Tensor<f32, B, 384>) {
    let qkv = x.dot(w).reshape([B, S, 3, 12, 32]);
    let (q, k, v) = (
        qkv[s![.., .., 0]].swap_axes(1, 2),
        qkv[s![.., .., 1]].swap_axes(1, 2),
        qkv[s![.., .., 2]].swap_axes(1, 2),
    );
    let s = q.matmul(k.swap_axes(2, 3)) / 5.656854;
    let s = select(
        mask.reshape([B, 1, 1, S]).broadcast_to([B, 12, S, S]),
        s,
        full_like(s, -1e9),
    );
    let a = s
        .softmax(-1)
        .matmul(v)
        .swap_axes(1, 2)
        .reshape([B, S, 384])
        .dot(wo);
    let h = (x + a).normalize_axis(-1);
    let m = mask as f32;
    (
        h,
        (h * m.insert_axis(2)).sum_axis(1) / m.sum_axis(1).insert_axis(1),
    )
}
