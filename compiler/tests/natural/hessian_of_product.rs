// How the product of some numbers bends.
// N = 5
pub fn hessian_of_product<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, N, N> {
    hessian(|x| x.prod())(x)
}
