// What a maximum differs from itself by, for each of the rest.
// N = 5
pub fn nothing_beside_rest<const N: usize>(
    &self,
    x: Tensor<i32, N>,
) -> (Tensor<i32, 1>, Tensor<i32>) {
    let most = x.max_axis(0).insert_axis(0);
    let none = most.min_axis(0).insert_axis(0) - most;
    let products = none.outer(most | x).prod_axis(1);
    (products, (most >> 1).dot(none))
}
