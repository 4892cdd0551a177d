// A column in reverse.
// without: refused
// below 9: i
pub fn columns(&self, x: Tensor<f32, 6, 9>, i: Tensor<i32>) -> Tensor<f32, 6> {
    x.t()[i].reverse(0)
}
