// Scores of keys for queries: less for those that are farther away, and none for those that come later.
pub fn relative_positions(&self, q: Tensor<f32, 2, 24, 16>, k: Tensor<f32, 2, 24, 16>, bias: Tensor<f32, 24>) -> Tensor<f32, 2, 24, 24> {
    let (row, column): (Tensor<i32, 24, 24>, Tensor<i32, 24, 24>) = (iota(0), iota(1));
    let scores = q.matmul(k.swap_axes(1, 2)) + bias.reverse(0);
    select(column <= row, scores, -1e9).swap_axes(1, 2)
}
