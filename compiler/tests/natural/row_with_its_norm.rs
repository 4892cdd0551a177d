// Numbers in parts of their sum, of which the first becomes the sum.
// N = 37
pub fn row_with_its_norm<const N: usize>(&self, x: Tensor<f32, N>) -> (Tensor<f32, N>, Tensor<f32, N>) {
    let norm = (x * x).sum().sqrt();
    let mut y = x / norm;
    y[0] = norm;
    let most = x.max_axis(0);
    let mut z = x - most;
    z[0] = most;
    (y, z)
}
