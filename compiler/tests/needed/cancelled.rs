// Bits that are changed twice, and are what they were.
// below 12: x
// without: wrong
pub fn cancelled(&self, x: Tensor<i32, 1>) -> (Tensor<i32, 1>, Tensor<i32, 1>) {
    let v = x * x;
    let w = v ^ x;
    let u = w ^ x;
    (v | u, u.rem_euclid(w))
}
