// Sums of products of two functions, and one of them times the sum of the other.
// N = 21, 1
pub fn sums<const N: usize>(
    &self,
    x: Tensor<f32, 8, 16>,
    y: Tensor<f64, N, 12>,
) -> (Tensor<f32, 8>, Tensor<f32, 8, 16>, Tensor<f64, N>, Tensor<f64, N, 12>) {
    let (a, b) = (x.tanh(), x.exp());
    let (c, d) = (y.sin(), y.cos());
    (
        (a * b).sum_axis(1),
        b * a.sum_axis(1).insert_axis(1),
        (c * d).sum_axis(1),
        c * 0.5 + d * c.sum_axis(1).insert_axis(1),
    )
}
