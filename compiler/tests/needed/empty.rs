// Counts of columns and 3 more, and what is left without them, of no rows.
// without: wrong
// M = 0
// N = 17
pub fn empty<const N: usize, const M: usize>(&self, x: Tensor<i32, M, N>) -> (Tensor<i32, M, N>, Tensor<i32, N>) {
    let counted = x.sum_axis(0) + 3;
    (x - counted, counted)
}
