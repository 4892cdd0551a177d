// The focal loss of detectors, and its derivative.
// N = 70
// below 91: y
pub fn focal_loss<const N: usize>(
    &self,
    x: Tensor<f32, N, 91>,
    y: Tensor<i32, N>,
) -> (Tensor<f32>, Tensor<f32, N, 91>) {
    value_and_grad(|x: Tensor<f32, N, 91>| {
        let p = x.sigmoid();
        let t = y.one_hot::<f32, 91>();
        let ce = x.softplus() - x * t;
        let pt = p * t + (1.0 - p) * (1.0 - t);
        (ce * (1.0 - pt) * (1.0 - pt)).sum() / 100.0
    })(x)
}
