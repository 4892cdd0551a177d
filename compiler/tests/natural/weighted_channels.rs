// Sums of places, each channel with its weight.
pub fn weighted_channels(&self, x: Tensor<f32, 16, 8, 5>, w: Tensor<f32, 5>) -> Tensor<f32, 8> {
    (x * w).sum_axis([0, 2])
}
