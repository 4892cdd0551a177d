// Odds with the first row cleared, beside all as they were, and such odds computed again.
// N = 2
// M = 3
pub fn cleared_rows<const N: usize, const M: usize>(
    &self,
    x: Tensor<f32, 6, 4>,
    y: Tensor<f32, 6>,
    z: Tensor<f32, N, M, 4>,
) -> (Tensor<f32, 6, 4>, Tensor<f32, 6>, Tensor<f32, 6, 4>, Tensor<f32, N, M, 4>, Tensor<f32, N, M, 4>) {
    let odds = x.exp();
    let mut cleared = odds;
    cleared[0] = 0.0;
    let mut other = z.exp();
    other[0] = 0.0;
    (cleared, y.exp(), odds, other, z.exp())
}
