// A recurrent cell whose inputs are projected for all gates at once, and gradients that go back through parts.
// N = 5
pub fn gates_of_parts<const N: usize>(
    &self,
    projected: Tensor<f32, N, 128>,
    hidden: Tensor<f32, N, 20>,
    w: Tensor<f32, 20, 64>,
    square: Tensor<f32, N, N>,
) -> (Tensor<f32, N, 64>, Tensor<f32, 51, N>, Tensor<f32, 4, N, 64>) {
    let update = (projected[s![.., 64..]] + hidden.dot(w)).sigmoid();
    let proposal = (projected[s![.., ..;2]].tanh() + hidden.dot(w)).tanh();
    let part = projected[s![.., ..51]];
    let turned = square.dot(part).t() + (part + square.t().dot(part)).t();
    let batches = stack([update, proposal, update - proposal, update * proposal], 0);
    let layered = hidden.insert_axis(0).broadcast_to([4, N, 20]).matmul(w.insert_axis(0).broadcast_to([4, 20, 64]));
    (update * proposal, turned, concatenate([batches, batches], 0)[s![2..6, .., ..]] + layered)
}
