// Sums of columns, and what is left without them, of no rows.
// M = 0
// N = 17
pub fn columns_of_nothing<const N: usize, const M: usize>(
    &self,
    x: Tensor<f32, M, N>,
    counts: Tensor<i32, M, N>,
) -> (Tensor<f32, M, N>, Tensor<f32, N>, Tensor<i32, M, N>, Tensor<i32, N>) {
    let sums = x.sum_axis(0);
    let counted = counts.sum_axis(0) + 3;
    (x - sums, sums, counts - counted, counted)
}
