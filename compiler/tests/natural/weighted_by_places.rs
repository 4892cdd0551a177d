// Sums along an axis, weighted by places, of matrices as large as they are known at the call.
// N = 5, 40, 0
pub fn weighted_by_places<const N: usize>(&self, x: Tensor<f32, N, N>, y: Tensor<f32, 7, N>, z: Tensor<f64, N, 3>) -> (
    Tensor<f32, N, N>, Tensor<f32, N, N>, Tensor<f32, 7, N>, Tensor<f32, N, 5>, Tensor<f64, 3, N>, Tensor<f32, N, 4>,
) {
    let places = iota::<f32, N, N>(1);
    let low = x.matmul(places) / 0.5;
    let high = iota::<f32, N, N>(0).matmul(x);
    let rows = y.matmul(iota::<f32, N, N>(0));
    let few = x.dot(iota::<f32, N, 5>(0));
    let long = z.t().matmul(iota::<f64, N, N>(0));
    (low.t() + low, high, rows, few, long, x.dot(iota::<f32, N, 4>(0).reverse(0)))
}
