// Columns in order, in reverse, and where each has its numbers in order.
// N = 7
pub fn sorted_columns<const N: usize>(
    &self,
    x: Tensor<f32, 5, 8>,
    y: Tensor<f32, 3, N>,
) -> (Tensor<f32, 8, 5>, Tensor<f32, N, 3>, Tensor<i32, 8, 5>) {
    let sorted = map(x.t(), |column| column.sort(0));
    let reversed = map(y.t(), |column| column.reverse(0));
    (sorted, reversed, map(x.t(), |column| column.argsort(0)))
}
