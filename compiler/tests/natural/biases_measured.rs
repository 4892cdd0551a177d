// What is added to products of odd sizes, and reduced to single numbers besides.
// N = 5
pub fn biases_measured<const N: usize>(
    &self,
    rows: Tensor<f32, N, 9>,
    x: Tensor<f32, 9, 9>,
    bias: Tensor<f32, 9>,
    grid: Tensor<f32, 100, 100>,
) -> (Tensor<f32, N, 9>, Tensor<f32, 9, 9>, Tensor<f32>, Tensor<f32, 100, 100>, Tensor<f32>) {
    let centred = bias - 1.5;
    let waves = grid.sin();
    let moved = x.dot(x) + centred;
    let carried = grid.dot(grid) + waves;
    (rows.dot(x), moved, (centred * bias).dot(centred), carried, (waves * waves).sum())
}
