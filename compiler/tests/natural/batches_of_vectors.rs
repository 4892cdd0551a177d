// A vector times a matrix for each of many cases, which come last; with weights for all cases, added up and side by side.
// N = 150, 1
pub fn batches_of_vectors<const N: usize>(
    &self,
    matrices: Tensor<f32, 24, 33, N>,
    vectors: Tensor<f32, 24, N>,
    weights: Tensor<f32, 17, 33, N>,
) -> (Tensor<f32, 33, N>, Tensor<f32, 17, 33, N>) {
    let products = einsum!("ba,bda->da", vectors, matrices);
    let others = einsum!("ba,bda->da", vectors + 1.0, matrices);
    ((products + weights).sum_axis(0), others * weights)
}
