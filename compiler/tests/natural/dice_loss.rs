// The Dice loss of segmentation, and its derivative.
// B = 3
pub fn dice_loss<const B: usize>(
    &self,
    x: Tensor<f32, B, 64, 64>,
    y: Tensor<bool, B, 64, 64>,
) -> (Tensor<f32>, Tensor<f32, B, 64, 64>) {
    value_and_grad(|x: Tensor<f32, B, 64, 64>| {
        let p = x.sigmoid();
        let t = y as f32;
        let i = (p * t).sum_axis([1, 2]);
        1.0 - ((i * 2.0 + 1.0) / (p.sum_axis([1, 2]) + t.sum_axis([1, 2]) + 1.0)).mean()
    })(x)
}
