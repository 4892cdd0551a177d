// Frames with others added at places, beside all as they were.
// N = 4
// M = 2
// below 2: at
pub fn added_beside<const N: usize, const M: usize>(
    &self,
    x: Tensor<f32, N, M, 7>,
    y: Tensor<f32, 1, 16, 7>,
    at: Tensor<i32, 2>,
    new: Tensor<f32, 2, M, 7>,
) -> (Tensor<f32, N, M, 7>, Tensor<f32, 1, 16, 7>, Tensor<f32, N, M, 7>) {
    let frames = x.exp();
    (frames.scatter_add(at, new, 0), y.exp(), frames)
}
