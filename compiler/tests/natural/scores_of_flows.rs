// The gradient of a masked autoregressive layer by what it transforms.
// B = 37, 1
pub fn scores_of_flows<const B: usize>(&self, x: Tensor<f32, B, 4>, a: Tensor<f32, 4, 16>, w: Tensor<f32, 16, 4>) -> Tensor<f32, B, 4> {
    grad(|x: Tensor<f32, B, 4>| {
        let y = x.dot(a).tanh().dot(w);
        (y.exp() * x).sum()
    })(x)
}
