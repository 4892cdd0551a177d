// Layers of a decoder of one text, which are normalized before they are multiplied, and the head of a model of words.
pub fn layers(
    &self,
    x: Tensor<f32, 128, 512>,
    attended: Tensor<f32, 128, 128>,
    out: Tensor<f32, 128, 512>,
    up: Tensor<f32, 512, 256>,
    down: Tensor<f32, 256, 512>,
    w: Tensor<f32, 512, 512>,
    words: Tensor<f32, 512, 100>,
) -> (Tensor<f32, 128, 512>, Tensor<f32, 128, 512>, Tensor<f32, 128, 100>) {
    let x = x + attended.dot(out) / 8.0;
    let y = x + x.normalize_axis(-1).dot(up).gelu().dot(down) / 16.0;
    let z = y.dot(w) / 16.0;
    let shares = z.sigmoid();
    (y, shares + z, (z * shares).normalize_axis(-1).dot(words))
}
