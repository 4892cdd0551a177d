// A step upwards of a U-Net.
// B = 3
pub fn upsampling<const B: usize>(
    &self,
    x: Tensor<f32, B, 8, 8, 32>,
    skip: Tensor<f32, B, 16, 16, 16>,
    k: Tensor<f32, 3, 3, 48, 16>,
) -> Tensor<f32, B, 16, 16, 16> {
    let u = x.repeat(2, 1).repeat(2, 2);
    let c = concatenate([u, skip], 3);
    conv!(c, k, padding = "same").relu()
}
