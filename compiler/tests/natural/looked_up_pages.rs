// The mean and the brightest of pages that are looked up, and their sums.
// M = 6
// N = 5
// below 6: at, of
pub fn looked_up_pages<const M: usize, const N: usize>(
    &self,
    pages: Tensor<f32, M, 40, 400>,
    texts: Tensor<f32, M, 4000>,
    long: Tensor<f32, 6, 30000>,
    at: Tensor<i32, 3>,
    of: Tensor<i32, N>,
) -> (Tensor<f32>, Tensor<f32>, Tensor<f32, N>, Tensor<f32, 3>) {
    let brightest = pages.take(of, 0).max();
    (pages.take(at, 0).mean(), brightest, texts.take(of, 0).sum_axis(1), long.take(at, 0).max_axis(1))
}
