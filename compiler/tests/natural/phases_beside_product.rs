// Running sums of what comes of the phases of each pair, beside the product of the pairs.
pub fn phases_beside_product(&self, x: Tensor<Complex<f32>, 3, 17>) -> (Tensor<Complex<f32>, 17, 3>, Tensor<Complex<f32>, 17, 17>) {
    let pairs = einsum!("ab,ac->ba", x, x);
    ((pairs + pairs).cumsum(0), pairs.dot(x))
}
