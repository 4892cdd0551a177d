// A graph convolution network, and a derivative of its loss.
// N = 40
// positive: a
// below 7: y
pub fn graph_convolutions<const N: usize>(
    &self,
    a: Tensor<f32, N, N>,
    x: Tensor<f32, N, 32>,
    w: Tensor<f32, 32, 16>,
    u: Tensor<f32, 16, 7>,
    y: Tensor<i32, N>,
) -> (Tensor<f32>, Tensor<f32, 32, 16>) {
    let a = a + eye();
    let d = a.sum_axis(1).rsqrt();
    let n = d.insert_axis(1) * a * d;
    value_and_grad(|w: Tensor<f32, 32, 16>| {
        let h = n.dot(x.dot(w)).relu();
        let z = n.dot(h.dot(u)).log_softmax(-1);
        -(z * y.one_hot::<f32, 7>()).sum_axis(1).mean()
    })(w)
}
