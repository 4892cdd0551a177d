// No samples: each two of some series, weighted by many samples of a third.
// N = 2
// M = 0
pub fn pairs_of_nothing<const N: usize, const M: usize>(
    &self,
    series: Tensor<f32, N, M>,
    samples: Tensor<f32, N, M, 17>,
) -> (Tensor<f32, N, N, 17>, Tensor<f32, N, N, M>) {
    let pairs = series.insert_axis(1) * series.insert_axis(0);
    (pairs.matmul(samples), pairs)
}
