// A product as the real part of a number.
// without: refused
pub fn complex(&self, x: Tensor<f32>, y: Tensor<f32, 3, 2>, z: Tensor<f32, 2, 3>) -> Tensor<Complex<f32>, 2, 2> {
    complex(z.dot(y), x)
}
