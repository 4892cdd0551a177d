// Each two of some series, weighted by many samples of a third, and by none.
// N = 2
// M = 150, 0
pub fn pairs_of_series<const N: usize, const M: usize>(
    &self,
    series: Tensor<f32, N, M>,
    samples: Tensor<f32, N, M, 17>,
) -> (Tensor<f32, N, N, 17>, Tensor<f32, N, N, M>) {
    let pairs = series.insert_axis(1) * series.insert_axis(0);
    (pairs.matmul(samples), pairs)
}
