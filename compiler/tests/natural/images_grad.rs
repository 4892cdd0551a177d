// The loss of a convolutional net of any number of images, and its derivatives.
// B = 5
// below 10: y
pub fn images_grad<const B: usize>(
    &self,
    x: Tensor<f32, B, 32, 32, 3>,
    y: Tensor<i32, B>,
    a: Tensor<f32, 3, 3, 3, 16>,
    b: Tensor<f32, 3, 3, 16, 16>,
    c: Tensor<f32, 1024, 10>,
) -> (
    Tensor<f32>,
    Tensor<f32, 3, 3, 3, 16>,
    Tensor<f32, 3, 3, 16, 16>,
    Tensor<f32, 1024, 10>,
) {
    let loss = |a: Tensor<f32, 3, 3, 3, 16>, b: Tensor<f32, 3, 3, 16, 16>, c: Tensor<f32, 1024, 10>| {
        let h = max_pool!(conv!(x, a, padding = "same").relu(), window = [2, 2]);
        let h = h + conv!(h, b, padding = "same").relu();
        let h = avg_pool!(h, window = [2, 2]).reshape([-1, 1024]);
        let logp = h.dot(c).log_softmax(-1);
        -(logp * y.one_hot::<f32, 10>()).sum_axis(1).mean()
    };
    let (l, (x, y, z)) = value_and_grad::<0, 1, 2>(loss)(a, b, c);
    (l, x, y, z)
}
