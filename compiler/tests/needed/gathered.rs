// Rows of several tables with places added, less their sums, divided by the sums of squares.
// below 1000: ids
// without: refused
pub fn gathered(
    &self,
    table: Tensor<f32, 2, 1000, 384>,
    places: Tensor<f32, 128, 384>,
    ids: Tensor<i32, 32, 128>,
) -> Tensor<f32, 2, 32, 128, 384> {
    (table.take(ids, 1) + places).normalize_axis(-1)
}
