// Quantization of rows to eight bits.
pub fn quantized_rows(
    &self,
    x: Tensor<f32, 256, 512>,
) -> (
    Tensor<i8, 256, 512>,
    Tensor<f32, 256>,
    Tensor<f32, 256, 512>,
) {
    let s = x.abs().max_axis(1) / 127.0;
    let q = (x / s.insert_axis(1)).round().clamp(-128.0, 127.0) as i8;
    (q, s, (q as f32) * s.insert_axis(1) - x)
}
