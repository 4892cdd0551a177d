// Tables with one element replaced, each time round a loop, by position and by what is read.
// T = 5
pub fn replaced_labels<const T: usize>(
    &self,
    x: Tensor<f32, T>,
) -> (Tensor<f32, 4>, Tensor<f32, 3>, Tensor<f32, T, 3>) {
    let mut sum = zeros::<f32, 4>();
    for i in range(0, T) {
        let mut weights: Tensor<f32, 4> = tensor([1.0, 2.0, 3.0, 4.0]);
        weights[i % 4] = x[i];
        sum = sum * 2.0 + weights;
    }
    let (carry, rows) = scan(zeros::<f32, 3>(), x, |carry: Tensor<f32, 3>, value: Tensor<f32>| {
        let mut row: Tensor<f32, 3> = tensor([1.0, 2.0, 4.0]);
        row[(value.abs() * 7.0) as i32 % 3] = value;
        (carry.roll(1, 0) + row, row)
    });
    (sum, carry, rows)
}
