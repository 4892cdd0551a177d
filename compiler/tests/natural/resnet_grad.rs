// The derivatives of a stem and a residual block of images by its kernels.
pub fn resnet_grad(
    &self,
    x: Tensor<f32, 4, 64, 64, 3>,
    y: Tensor<f32, 4, 10>,
    stem: Tensor<f32, 7, 7, 3, 32>,
    a: Tensor<f32, 3, 3, 32, 32>,
    b: Tensor<f32, 3, 3, 32, 32>,
    scale: Tensor<f32, 32>,
    head: Tensor<f32, 32, 10>,
) -> (Tensor<f32>, Tensor<f32, 7, 7, 3, 32>, Tensor<f32, 3, 3, 32, 32>, Tensor<f32, 3, 3, 32, 32>, Tensor<f32, 32>, Tensor<f32, 32, 10>) {
    let normal = |h: Tensor<f32, 4, 16, 16, 32>, scale: Tensor<f32, 32>| {
        let mean = h.mean_axis([0, 1, 2]);
        let centred = h - mean;
        let variance = (centred * centred).mean_axis([0, 1, 2]);
        centred * (variance + 1e-5).rsqrt() * scale
    };
    let loss = |stem: Tensor<f32, 7, 7, 3, 32>, a: Tensor<f32, 3, 3, 32, 32>, b: Tensor<f32, 3, 3, 32, 32>, scale: Tensor<f32, 32>, head: Tensor<f32, 32, 10>| {
        let h = conv!(x, stem / 12.0, strides = [2, 2], padding = "same").relu();
        let h = max_pool!(h, window = [3, 3], strides = [2, 2], padding = "same");
        let r = normal(conv!(h, a / 17.0, padding = "same"), scale).relu();
        let h = (h + normal(conv!(r, b / 17.0, padding = "same"), scale)).relu();
        let scores = h.mean_axis([1, 2]).dot(head);
        -(scores.log_softmax(-1) * y).sum_axis(1).mean()
    };
    let (l, (s, a, b, g, h)) = value_and_grad::<0, 1, 2, 3, 4>(loss)(stem, a, b, scale, head);
    (l, s, a, b, g, h)
}
