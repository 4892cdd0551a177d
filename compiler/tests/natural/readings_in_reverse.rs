// Projections, to which rows are added that are looked up, in reverse order, or joined.
// N = 2
// below 7: ids
pub fn readings_in_reverse<const N: usize>(
    &self,
    x: Tensor<f32, N, 33>,
    w: Tensor<f32, 33, 8>,
    both_ways: Tensor<f32, N, 8>,
    table: Tensor<f32, 7, 8>,
    ids: Tensor<i32, N>,
    pairs: Tensor<f32, { 2 * N }, 33>,
    three: Tensor<f32, 3, 33>,
    nine: Tensor<f32, 9, 8>,
) -> (Tensor<f32, N, 8>, Tensor<f32>, Tensor<f32, N, 8>, Tensor<f32, { 2 * N }, 8>, Tensor<f32, 3, 8>) {
    let mut changed = both_ways;
    changed[s![..;-1, ..]] += x.dot(w);
    let looked_up = (x * 2.0).dot(w) + table.take(ids, 0).tanh();
    let joined = pairs.dot(w) + concatenate([both_ways, looked_up], 0);
    (changed, einsum!("ab,cb->", changed, w), looked_up, joined, three.dot(w) + nine.reverse(0)[s![..3, ..]])
}
