// The loss of a perceptron over digits, and its derivatives.
// below 10: y
pub fn perceptron(
    &self,
    x: Tensor<f32, 32, 784>,
    y: Tensor<i32, 32>,
    w1: Tensor<f32, 784, 64>,
    b1: Tensor<f32, 64>,
    w2: Tensor<f32, 64, 10>,
    b2: Tensor<f32, 10>,
) -> (
    Tensor<f32>,
    Tensor<f32, 784, 64>,
    Tensor<f32, 64>,
    Tensor<f32, 64, 10>,
    Tensor<f32, 10>,
) {
    let (l, (a, b, c, d)) = value_and_grad::<0, 1, 2, 3>(
        |w1: Tensor<f32, 784, 64>,
         b1: Tensor<f32, 64>,
         w2: Tensor<f32, 64, 10>,
         b2: Tensor<f32, 10>| {
            let h = (x.dot(w1) + b1).relu();
            let z = (h.dot(w2) + b2).log_softmax(-1);
            let t = y.one_hot::<f32, 10>();
            -(z * t).sum() / 32.0
        },
    )(w1, b1, w2, b2);
    (l, a, b, c, d)
}
