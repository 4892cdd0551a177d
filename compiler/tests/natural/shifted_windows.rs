// Products of signals of which the first sample is dropped, beside those of others with their spread.
// N = 5
pub fn shifted_windows<const N: usize>(
    &self,
    x: Tensor<f32, N, 33>,
    y: Tensor<f32, N, 33>,
) -> (Tensor<f32, 33, N>, Tensor<f32, N, N>, Tensor<f32, 1, 33, 33>) {
    let shifted = pad!(y, low = [2, -1], high = [1, 1], value = 1.0);
    let moments = shifted.t().matmul(shifted);
    let gram = x.matmul(x.t());
    (x.t(), gram.std_axis(0) + gram, moments.insert_axis(0))
}
