// A small convolutional net.
// N = 5
pub fn conv_net<const N: usize>(
    &self,
    x: Tensor<f32, N, 32, 32, 3>,
    a: Tensor<f32, 3, 3, 3, 16>,
    b: Tensor<f32, 3, 3, 16, 32>,
    w: Tensor<f32, 32, 10>,
) -> Tensor<f32, N, 10> {
    let h = conv!(x, a, padding = "same").relu();
    let h = max_pool!(h, window = [2, 2]);
    let h = conv!(h, b, padding = "same").relu();
    h.mean_axis([1, 2]).dot(w).softmax(-1)
}
