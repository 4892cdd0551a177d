// What has all bits, whatever it is computed from.
// without: wrong
pub fn constants(&self, k: Tensor<i32, 3, 60>) -> Tensor<i32, 3> {
    (k | -1).sum_axis(1)
}
