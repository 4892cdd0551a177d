// Complex numbers that are the same everywhere, read more than once.
pub fn even_waves(
    &self,
    x: Tensor<Complex<f32>, 4>,
) -> (Tensor<Complex<f32>, 4>, Tensor<Complex<f32>, 4>, Tensor<Complex<f32>, 4>) {
    let wave = complex(full::<f32, 4>(1.0), full::<f32, 4>(2.0));
    let grown = wave.exp();
    let turned = wave.reshape([2, 2]).t().reshape([4]) * wave;
    (x * wave, turned, grown * grown.reverse(0) + x)
}
