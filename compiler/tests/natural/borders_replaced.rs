// Rows between fixed borders, with one element replaced, each time round a loop.
// T = 5
pub fn borders_replaced<const T: usize>(
    &self,
    x: Tensor<f32, T>,
    w: Tensor<f32, 4>,
) -> (Tensor<f32, 4>, Tensor<f32, 4>, Tensor<f32, 4>) {
    let (mut joined, mut computed, mut folded) = (zeros(), zeros(), zeros());
    for i in range(0, T) {
        let mut row = concatenate([tensor([1.0, 2.0, 3.0]), w[s![..1]]], 0);
        row[i % 4] = x[i];
        joined = joined * 2.0 + row;
        let mut row = concatenate([tensor([7.0, 8.0]).exp(), w[s![1..3]].exp()], 0);
        row[i % 4] = x[i];
        computed = computed * 2.0 + row;
        let mut row = concatenate([full::<f32, 3>(-2.0), w[s![..1]]], 0);
        row = row.reshape([2, 2]).reshape([4]);
        row[i % 4] = x[i];
        folded = folded * 2.0 + row;
    }
    (joined, computed, folded)
}
