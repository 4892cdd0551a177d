// Sums, changed in two ways, each with zeros around them.
// without: refused
pub fn padded(&self, x: Tensor<f32, 50, 30>) -> (Tensor<f32, 53>, Tensor<f32, 53>) {
    let sums = x.sum_axis(1);
    (pad!(sums * 2.0, low = [1], high = [2], value = 0.0), pad!(sums + 1.0, low = [2], high = [1], value = 0.0))
}
