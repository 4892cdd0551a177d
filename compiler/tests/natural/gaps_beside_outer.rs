// How far the soft score of each row is above the least of another's, beside the products of all pairs of them.
pub fn gaps_beside_outer(&self, x: Tensor<f64, 33, 33>, y: Tensor<f64, 33, 33>) -> (Tensor<f64, 33>, Tensor<f64, 33, 33>) {
    let least = y.min_axis(1);
    let soft = x.matmul(y).logsumexp_axis(1);
    let pairs = soft.outer(least);
    let mut gaps = soft;
    gaps[s![..]] -= least;
    (gaps, pairs)
}
