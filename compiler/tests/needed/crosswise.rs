// Rows and columns of truth values that wait for each other.
// without: refused
pub fn crosswise(&self, x: Tensor<bool, 3, 4>, y: Tensor<bool, 4>) -> (Tensor<bool, 4>, Tensor<bool, 3>) {
    let v = y.maximum(x.max_axis(1).insert_axis(1));
    let w = v.maximum(x.all_axis(0));
    (w.max_axis(0), w.all_axis(1))
}
