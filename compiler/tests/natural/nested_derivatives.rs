// The fourth and fifth derivatives of functions of one number, at many.
// N = 7
pub fn nested_derivatives<const N: usize>(&self, x: Tensor<f64, N>, y: Tensor<f32, 30>) -> (Tensor<f64, N>, Tensor<f64>, Tensor<f32, 30>) {
    let f = |x: Tensor<f64>| (x.sin() * x).tanh();
    let g = |x: Tensor<f32>| (x.sin() * x).tanh();
    let fourth = grad(grad(grad(grad(f))));
    (vmap(fourth)(x), grad(fourth)(x[0]), vmap(grad(grad(grad(grad(g)))))(y))
}
