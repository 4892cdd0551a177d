// Attention to what came before.
// B = 2
// S = 45
pub fn causal_attention<const B: usize, const S: usize>(
    &self,
    q: Tensor<f32, B, 4, S, 32>,
    k: Tensor<f32, B, 4, S, 32>,
    v: Tensor<f32, B, 4, S, 32>,
) -> Tensor<f32, B, 4, S, 32> {
    let s = q.matmul(k.swap_axes(2, 3)) * 0.17677669;
    let i = arange::<i32, S>();
    let m = i.insert_axis(1) >= i;
    select(m.broadcast_to([B, 4, S, S]), s, full_like(s, -1e9))
        .softmax(-1)
        .matmul(v)
}
