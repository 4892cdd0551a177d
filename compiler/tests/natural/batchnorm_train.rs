// Batch normalization over images, with running statistics.
// positive: rv
pub fn batchnorm_train(
    &self,
    x: Tensor<f32, 8, 32, 28, 28>,
    g: Tensor<f32, 32>,
    b: Tensor<f32, 32>,
    rm: Tensor<f32, 32>,
    rv: Tensor<f32, 32>,
) -> (Tensor<f32, 8, 32, 28, 28>, Tensor<f32, 32>, Tensor<f32, 32>) {
    let m = x.mean_axis([0, 2, 3]);
    let v = x.var_axis([0, 2, 3]);
    let y = (x - m.reshape([32, 1, 1])) / (v.reshape([32, 1, 1]) + 1e-5).sqrt()
        * g.reshape([32, 1, 1])
        + b.reshape([32, 1, 1]);
    (y.relu(), rm * 0.9 + m * 0.1, rv * 0.9 + v * 0.1)
}
