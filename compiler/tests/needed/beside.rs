// A hidden layer that goes around another.
// N = 5
// without: refused
pub fn beside<const N: usize>(&self, x: Tensor<f64, N, 8>, w: Tensor<f64, 8, 8>) -> Tensor<f64, N, 8> {
    let a = x.dot(w).tanh();
    let b = a * 2.0 + x;
    b.dot(w) + a
}
