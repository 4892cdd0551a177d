// Rows without the means of the columns, of which one becomes these means; in rounds, and of one row.
// below 4: n
pub fn centred_with_means(
    &self,
    x: Tensor<f32, 4, 8>,
    n: Tensor<i32>,
) -> (Tensor<f32, 4, 8>, Tensor<f32, 4, 8>, Tensor<f32, 8>, Tensor<f32, 4, 8>) {
    let m = x.mean_axis(0);
    let mut centred = x - m;
    centred[1] = m;
    let mut rounds = x;
    for _ in range(0, n) {
        let m = rounds.mean_axis(0);
        rounds = rounds - m;
        rounds[2] = m;
    }
    let most = x[0].max_axis(0);
    let mut row = x[0] - most;
    row[3] = most;
    let scores = x.matmul(x.t().matmul(x));
    let most = scores.max_axis(0);
    let mut weights = (scores - most).exp();
    weights[0] = most;
    (centred, rounds, row, weights)
}
