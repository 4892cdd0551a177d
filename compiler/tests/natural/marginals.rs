// What three variables have in common along each, of two tables that share one.
pub fn marginals(&self, x: Tensor<f32, 16, 8>, y: Tensor<f32, 8, 12>) -> (Tensor<f32, 16>, Tensor<f32, 8>, Tensor<f32, 12>) {
    let joint = x.insert_axis(2) * y;
    (joint.sum_axis([1, 2]), joint.sum_axis([0, 2]), joint.sum_axis([0, 1]))
}
