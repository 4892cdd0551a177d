// Waves of fixed frequencies, beside their products with each other and with what is measured.
pub fn tables_of_waves(
    &self,
    x: Tensor<Complex<f32>, 4>,
    y: Tensor<Complex<f32>, 1, 3>,
) -> (
    Tensor<Complex<f32>, 4>,
    Tensor<Complex<f32>, 4, 4>,
    Tensor<Complex<f32>, 4>,
    Tensor<Complex<f32>, 1>,
    Tensor<Complex<f32>, 3>,
) {
    let phase = arange::<f32, 4>();
    let waves = complex(phase.cos(), phase.sin());
    let turned = waves.reshape([2, 2]).t().reshape([4]) * waves;
    let unit = eye::<Complex<f32>, 1, 3>();
    let first = unit.matmul(unit.t()).prod_axis(0);
    (x * waves, waves.outer(waves).t() + x, turned, first, y.t().matmul(y).sum_axis(0))
}
