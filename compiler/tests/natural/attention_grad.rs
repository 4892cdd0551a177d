// The derivatives of attention.
pub fn attention_grad(
    &self,
    q: Tensor<f32, 4, 4, 64, 32>,
    k: Tensor<f32, 4, 4, 64, 32>,
    v: Tensor<f32, 4, 4, 64, 32>,
) -> (
    Tensor<f32, 4, 4, 64, 32>,
    Tensor<f32, 4, 4, 64, 32>,
    Tensor<f32, 4, 4, 64, 32>,
) {
    grad::<0, 1, 2>(
        |q: Tensor<f32, 4, 4, 64, 32>,
         k: Tensor<f32, 4, 4, 64, 32>,
         v: Tensor<f32, 4, 4, 64, 32>| {
            let a = (q.matmul(k.swap_axes(2, 3)) * 0.17).softmax(-1).matmul(v);
            (a * a).sum()
        },
    )(q, k, v)
}
