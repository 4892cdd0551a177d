// The absolute values of a column, and of the column next to itself.
// without: refused
pub fn repeated(&self, x: Tensor<f32, 33>) -> (Tensor<f32, 33, 1>, Tensor<f32, 33, 5>) {
    let v = x.insert_axis(1);
    (v.abs(), v.broadcast_to([33, 5]).abs())
}
