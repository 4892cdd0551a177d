// A sum of all elements, and something else of what it is computed from.
// without: refused
pub fn totals(&self, x: Tensor<f32, 128, 91>, y: Tensor<f32, 128, 91>) -> (Tensor<f32>, Tensor<f32, 128, 91>) {
    let a = x.tanh();
    let b = a * y;
    ((a * b).sum(), a + b)
}
