// Sums that both factors of a product are computed from.
// N = 7
// without: refused
pub fn shared<const N: usize>(&self, x: Tensor<f64, N, 3, 3>, y: Tensor<f64, N, 3>) -> Tensor<f64, N, 3> {
    let sums = x.sum_axis(0);
    y.dot(1.0 / (sums * sums + 1.0)).dot(sums)
}
