// Odds above the sums of rows, both as a row, beside the product of a column and that row.
pub fn row_beside_outer(&self, x: Tensor<f64, 33>, y: Tensor<f64, 33, 33>) -> (Tensor<f64, 33>, Tensor<f64, 1, 33>, Tensor<f64, 33, 33>) {
    let total = y.sum_axis(1).insert_axis(0);
    let odds = x.exp();
    (odds, odds.insert_axis(0) - total, odds.insert_axis(1) * total.tanh())
}
