// One token's attention to a cache whose heads are shared.
// L = 77
// below 50: n
pub fn grouped_queries<const L: usize>(
    &self,
    q: Tensor<f32, 8, 32>,
    kc: Tensor<f32, L, 2, 32>,
    vc: Tensor<f32, L, 2, 32>,
    n: Tensor<i32>,
) -> Tensor<f32, 256> {
    let q = q.reshape([2, 4, 32]);
    let s = einsum!("ghd,lgd->ghl", q, kc) * 0.1767767;
    let m = arange::<i32, L>() < n;
    let s = select(m.broadcast_to([2, 4, L]), s, full_like(s, -1e30));
    einsum!("ghl,lgd->ghd", s.softmax(-1), vc).reshape([256])
}
