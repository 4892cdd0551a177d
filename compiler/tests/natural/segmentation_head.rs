// The head of a net that segments images: a kernel of one to a single channel, and its derivatives.
pub fn segmentation_head(
    &self,
    features: Tensor<f32, 8, 64, 64, 32>,
    kernel: Tensor<f32, 1, 1, 32, 1>,
    bias: Tensor<f32, 1>,
) -> (Tensor<f32, 8, 64, 64, 32>, Tensor<f32, 1, 1, 32, 1>, Tensor<f32, 1>) {
    grad::<0, 1, 2>(|features: Tensor<f32, 8, 64, 64, 32>, kernel, bias: Tensor<f32, 1>| {
        (conv!(features.relu(), kernel) + bias).sigmoid().powi(2).mean()
    })(features, kernel, bias)
}
