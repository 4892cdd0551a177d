// The derivatives of batch normalization.
pub fn batchnorm_grad(
    &self,
    x: Tensor<f32, 8, 16, 16, 16>,
    g: Tensor<f32, 16>,
) -> (Tensor<f32, 8, 16, 16, 16>, Tensor<f32, 16>) {
    grad::<0, 1>(|x: Tensor<f32, 8, 16, 16, 16>, g: Tensor<f32, 16>| {
        let m = x.mean_axis([0, 2, 3]).reshape([16, 1, 1]);
        let v = x.var_axis([0, 2, 3]).reshape([16, 1, 1]);
        ((x - m) / (v + 1e-5).sqrt() * g.reshape([16, 1, 1]))
            .relu()
            .powi(2)
            .sum()
    })(x, g)
}
