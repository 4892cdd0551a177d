// A filter of the spectrum of images, and the derivatives of a loss through it.
pub fn spectral_filter(&self, x: Tensor<f32, 12, 10>, w: Tensor<f32, 12, 10>) -> (Tensor<f32, 12, 10>, Tensor<f32, 12, 10>, Tensor<f32, 12, 10>) {
    let filtered = |x: Tensor<f32, 12, 10>, w: Tensor<f32, 12, 10>| ifft!(fft!(x) * complex(w, w * 0.5)).re();
    let (dx, dw) = grad::<0, 1>(|x, w| { let y = filtered(x, w); (y * y * y).sum() })(x, w);
    (filtered(x, w), dx, dw)
}
