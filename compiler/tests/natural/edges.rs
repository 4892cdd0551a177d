// Edges of an image.
// H = 50
// W = 41
pub fn edges<const H: usize, const W: usize>(
    &self,
    x: Tensor<f32, H, W>,
) -> (Tensor<f32, { H - 2 }, { W - 2 }>, Tensor<f32>) {
    let k = tensor([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]]) as f32;
    let i = x.reshape([1, H, W, 1]);
    let gx = conv!(i, k.reshape([3, 3, 1, 1])).reshape([H - 2, W - 2]);
    let gy = conv!(i, k.t().reshape([3, 3, 1, 1])).reshape([H - 2, W - 2]);
    let m = gx.hypot(gy);
    (m / m.max(), m.mean())
}
