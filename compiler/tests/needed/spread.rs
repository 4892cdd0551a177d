// Squares beside rows, and added to sums of rows that stand next to each other.
// without: refused
pub fn spread(&self, x: Tensor<f32, 33, 33>, y: Tensor<f32, 33>, z: Tensor<f32, 33, 64>) -> (Tensor<f32, 33, 3>, Tensor<f32, 33, 64>) {
    let squares = y * y;
    let sums = (x.sum_axis(1) + squares).insert_axis(1).broadcast_to([33, 3]);
    (sums, z + squares.insert_axis(1))
}
