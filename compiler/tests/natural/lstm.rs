// A cell of an LSTM.
pub fn lstm(
    &self,
    x: Tensor<f32, 32, 64>,
    h: Tensor<f32, 32, 128>,
    c: Tensor<f32, 32, 128>,
    wx: Tensor<f32, 64, 512>,
    wh: Tensor<f32, 128, 512>,
    b: Tensor<f32, 512>,
) -> (Tensor<f32, 32, 128>, Tensor<f32, 32, 128>) {
    let z = x.dot(wx) + h.dot(wh) + b;
    let (i, g, o, u) = (
        z[s![.., ..128]].sigmoid(),
        z[s![.., 128..256]].sigmoid(),
        z[s![.., 256..384]].sigmoid(),
        z[s![.., 384..]].tanh(),
    );
    let c = g * c + i * u;
    (o * c.tanh(), c)
}
