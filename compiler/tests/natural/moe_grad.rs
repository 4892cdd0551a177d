// The derivatives of a mixture of experts that are chosen for each row.
pub fn moe_grad(
    &self,
    x: Tensor<f32, 64, 32>,
    gate: Tensor<f32, 32, 8>,
    experts: Tensor<f32, 8, 32, 32>,
) -> (Tensor<f32, 32, 8>, Tensor<f32, 8, 32, 32>) {
    let loss = |gate: Tensor<f32, 32, 8>, experts: Tensor<f32, 8, 32, 32>| {
        let (best, which) = (x.dot(gate)).softmax(-1).top_k(2);
        let share = best / best.sum_axis(1).insert_axis(1);
        let chosen = (which.one_hot::<f32, 8>() * share.insert_axis(2)).sum_axis(1);
        let all = einsum!("nd,edf->nef", x, experts).relu();
        let y = einsum!("nef,ne->nf", all, chosen);
        (y * y).mean()
    };
    grad::<0, 1>(loss)(gate, experts)
}
