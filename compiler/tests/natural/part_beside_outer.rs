// A score in several forms: one above what is computed of rows, one in all pairs with them.
pub fn part_beside_outer(&self, x: Tensor<f64, 33>, y: Tensor<f64, 33, 33>, z: Tensor<f64, 33>) -> (Tensor<f64, 33>, Tensor<f64, 33>, Tensor<f64, 33, 33>) {
    let total = y.sum_axis(1);
    let odds = x.exp();
    let part = odds * z;
    (part, odds - total, part.tanh().outer(total))
}
