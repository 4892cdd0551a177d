// Sums of columns, and the same of what is transposed before, in one table: also of what is computed from both alike.
// N = 5
pub fn sums_of_transposes<const N: usize>(
    &self,
    x: Tensor<f32, 5, 7>,
    rows: Tensor<f32, N, 7>,
    cube: Tensor<f32, 3, 5, 7>,
    truths: Tensor<bool, 5, 7>,
) -> (Tensor<f32, 7, 7>, Tensor<f32, 7, 7>, Tensor<f32, 7, 7, 3>, Tensor<bool, 7, 7>) {
    let plain = rows.sum_axis(0).insert_axis(0) + rows.t().sum_axis(1).insert_axis(1);
    let scaled = (x.exp() * 2.0).sum_axis(0).insert_axis(0) + (x.t().exp() * 2.0).sum_axis(1).insert_axis(1);
    let layers = cube.sum_axis(1).t().insert_axis(0) + cube.permute([2, 0, 1]).sum_axis(2).insert_axis(1);
    let turned = (!truths).t();
    let either = turned.swap_axes(0, 1).any_axis(0).insert_axis(0) | turned.max_axis(1).insert_axis(1);
    (plain, scaled, layers, either)
}
