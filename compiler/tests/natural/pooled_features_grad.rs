// The slopes of a classifier behind the means of features, by what is added to them, and the features that are seen.
pub fn pooled_features(
    &self,
    x: Tensor<f32, 2, 28, 28, 64>,
    b: Tensor<f32, 64>,
    head: Tensor<f32, 64, 10>,
) -> (Tensor<f32, 64>, Tensor<f32, 64, 10>) {
    grad::<0, 1>(|b: Tensor<f32, 64>, head: Tensor<f32, 64, 10>| {
        let pooled = (x + b).relu().mean_axis([1, 2]);
        (pooled.dot(head).powi(2)).sum()
    })(b, head)
}
