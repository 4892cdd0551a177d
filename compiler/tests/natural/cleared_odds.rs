// Odds with the first row cleared, beside all as they were.
pub fn cleared_odds(
    &self,
    x: Tensor<f32, 6, 4>,
    y: Tensor<f32, 6>,
) -> (Tensor<f32, 6, 4>, Tensor<f32, 6>, Tensor<f32, 6, 4>) {
    let odds = x.exp();
    let mut cleared = odds;
    cleared[0] = 0.0;
    (cleared, y.exp(), odds)
}
