// A gated feed-forward layer behind a root mean square normalization.
// S = 19
// positive: g
pub fn gated_feed_forward<const S: usize>(
    &self,
    x: Tensor<f32, S, 256>,
    g: Tensor<f32, 256>,
    w1: Tensor<f32, 256, 688>,
    w3: Tensor<f32, 256, 688>,
    w2: Tensor<f32, 688, 256>,
) -> Tensor<f32, S, 256> {
    let n = x * ((x * x).mean_axis(-1).insert_axis(-1) + 1e-6).rsqrt() * g;
    x + (n.dot(w1).silu() * n.dot(w3)).dot(w2)
}
