// Slopes of a product of spectra.
pub fn spectra_multiplied(&self, x: Tensor<f32, 11>, k: Tensor<f32, 11>) -> (Tensor<f32, 11>, Tensor<f32, 11>) {
    grad::<0, 1>(|x: Tensor<f32, 11>, k: Tensor<f32, 11>| (x.rfft() * k.rfft()).re().sin().sum())(x, k)
}
