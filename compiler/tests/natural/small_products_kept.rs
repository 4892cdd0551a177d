// Products of matrices that are small next to others, of which several values are kept.
pub fn kept(
    &self,
    x: Tensor<f32, 96, 64>,
    w: Tensor<f32, 64, 64>,
    large: Tensor<f64, 128, 128>,
) -> (Tensor<f32, 96, 64>, Tensor<f32, 96, 64>, Tensor<f32, 96, 64>, Tensor<f64, 128, 128>) {
    let b = x.dot(w);
    let c = b.tanh();
    (x - c, c + b.dot(w), b.sin() * 2.0, large.dot(large))
}
