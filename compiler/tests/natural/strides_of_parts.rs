// What is put between zeros is put into more of them: parts with gaps, their derivatives, and layers that are upsampled.
// N = 5
pub fn strides_of_parts<const N: usize>(
    &self,
    x: Tensor<f32, 2, 16>,
    image: Tensor<f32, N, 3>,
    planes: Tensor<f32, 2, 33, 33>,
) -> (Tensor<f32, 2, 16>, Tensor<f32, 2, 16>, Tensor<f32, { 2 * N + 3 }, 8>, Tensor<f32, 9>, Tensor<f32, 2, 1, 33, 33>) {
    let part = grad(|x: Tensor<f32, 2, 16>| x[s![.., 4..]][s![.., ..;2]].tanh().sum());
    let backwards = grad(|x: Tensor<f32, 2, 16>| {
        let kept = x[s![.., ..;-2]][s![.., 4..]];
        (kept * kept.max_axis(1).insert_axis(1)).mean()
    });
    let upsampled = pad!(pad!(image, interior = [1, 1]), low = [2, 1], high = [2, 2]);
    let mut comb: Tensor<f32, 9> = zeros();
    comb[s![1..8]] = pad!(x[s![0, ..4]], interior = [1]);
    let mut raised = planes.insert_axis(1);
    raised[s![0, ..;3, .., 20..;3]] += 2.0;
    (part(x), backwards(x), upsampled, comb, raised)
}
