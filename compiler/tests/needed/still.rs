// Sums of what is the same along the axis.
// without: refused
pub fn still(&self, x: Tensor<f64, 1000>) -> Tensor<f64, 1000> {
    x.insert_axis(1).broadcast_to([1000, 1000]).sum_axis(1)
}
