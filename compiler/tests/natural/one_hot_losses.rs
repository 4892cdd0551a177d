// Cross-entropy of many classes written with one-hot labels, with its slopes, alone and smoothed.
// below 3000: y
pub fn losses(&self, x: Tensor<f32, 77, 3000>, y: Tensor<i32, 77>) -> ((Tensor<f32>, Tensor<f32, 77, 3000>), Tensor<f32, 77, 3000>) {
    let labels = y.one_hot::<f32, 3000>();
    let loss = |x: Tensor<f32, 77, 3000>| -(labels * x.log_softmax(-1)).sum_axis(-1).mean();
    let smooth = labels * 0.9 + 0.1 / 3000.0;
    let smoothed = |x: Tensor<f32, 77, 3000>| -(smooth * x.log_softmax(-1)).sum_axis(-1).mean();
    (value_and_grad(loss)(x), grad(smoothed)(x))
}
