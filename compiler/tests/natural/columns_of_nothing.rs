// Sums and products of columns, and what is left without them, of some rows, and of none.
// M = 6, 0
// N = 17
pub fn columns_of_nothing<const N: usize, const M: usize>(
    &self,
    x: Tensor<f32, M, N>,
    counts: Tensor<i32, M, N>,
    weights: Tensor<f64, M>,
    values: Tensor<f64, M, N>,
) -> (Tensor<f32, M, N>, Tensor<f32, N>, Tensor<i32, M, N>, Tensor<i32, N>, Tensor<f64, M, N>, Tensor<f64, N>) {
    let sums = x.sum_axis(0);
    let counted = counts.sum_axis(0) + 3;
    let weighted = weights.dot(values) + 3.0;
    (x - sums, sums, counts - counted, counted, values - weighted, weighted)
}
