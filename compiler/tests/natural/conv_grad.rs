// A convolutional classifier of digits, and its derivatives.
// below 10: y
pub fn conv_grad(
    &self,
    x: Tensor<f32, 8, 28, 28, 1>,
    y: Tensor<i32, 8>,
    a: Tensor<f32, 3, 3, 1, 8>,
    w: Tensor<f32, 1568, 10>,
) -> (Tensor<f32>, Tensor<f32, 3, 3, 1, 8>, Tensor<f32, 1568, 10>) {
    let (l, (a, b)) =
        value_and_grad::<0, 1>(|a: Tensor<f32, 3, 3, 1, 8>, w: Tensor<f32, 1568, 10>| {
            let h = max_pool!(conv!(x, a, padding = "same").relu(), window = [2, 2])
                .reshape([8, 1568]);
            let z = h.dot(w).log_softmax(-1);
            -(z * y.one_hot::<f32, 10>()).sum()
        })(a, w);
    (l, a, b)
}
