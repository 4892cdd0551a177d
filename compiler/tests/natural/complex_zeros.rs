// Zeros of complex numbers that parts are replaced of, twice.
pub fn complex_zeros(&self, z: Tensor<Complex<f32>, 4>) -> (Tensor<Complex<f32>, 4>, Tensor<Complex<f32>, 4>) {
    let mut a = zeros_like(z);
    a[0] = z[0];
    a[1] = a[0] + z[1];
    let mut b = zeros_like(z);
    b[2] = a[1];
    (a, b)
}
