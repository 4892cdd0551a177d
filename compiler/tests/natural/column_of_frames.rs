// Frames with some columns replaced, beside all as they were.
// N = 4
// M = 2
pub fn column_of_frames<const N: usize, const M: usize>(
    &self,
    x: Tensor<f32, N, M, 7>,
    y: Tensor<f32, 6>,
) -> (Tensor<f32, N, M, 7>, Tensor<f32, 6>, Tensor<f32, N, M, 7>) {
    let frames = x.exp();
    let mut marked = frames;
    marked[s![.., .., 2..5]] = 0.5;
    (frames, y.exp(), marked)
}
