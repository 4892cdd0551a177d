// Products of tensors with ones and other numbers around them.
// N = 37, 1
pub fn products_of_padded<const N: usize>(
    &self,
    x: Tensor<f64, N, 2>,
    z: Tensor<Complex<f32>, N, 2>,
) -> (Tensor<f64, _, _>, Tensor<Complex<f32>, _, _>) {
    let framed = pad!(x, low = [0, 2], high = [1, 1], value = 1.0);
    let other = pad!(z, low = [0, 2], high = [1, 1]);
    (framed.matmul(framed.t()).softmax(0), other.matmul(other.t()))
}
