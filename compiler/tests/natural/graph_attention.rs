// Attention over the edges of a graph.
// N = 45
pub fn graph_attention<const N: usize>(
    &self,
    a: Tensor<bool, N, N>,
    x: Tensor<f32, N, 32>,
    w: Tensor<f32, 32, 16>,
    l: Tensor<f32, 16>,
    r: Tensor<f32, 16>,
) -> Tensor<f32, N, 16> {
    let h = x.dot(w);
    let e = h.dot(l).insert_axis(1) + h.dot(r);
    let e = select(e > 0.0, e, e * 0.2);
    let e = select(a, e, full_like(e, -1e9));
    e.softmax(-1).dot(h).relu()
}
