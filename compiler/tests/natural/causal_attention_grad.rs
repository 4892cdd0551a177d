// The derivative of attention to what came before, by its inputs.
// T = 6
pub fn causal_attention_grad<const T: usize>(&self, x: Tensor<f32, T, 8>, w: Tensor<f32, 8, 8>) -> (Tensor<f32, T, 8>, Tensor<f32, 8, 8>) {
    grad::<0, 1>(|x: Tensor<f32, T, 8>, w: Tensor<f32, 8, 8>| {
        let past = ones::<bool, T, T>().tri_lower();
        let scores = select(past, x.matmul(w).matmul(x.t()), full(f32::NEG_INFINITY));
        scores.softmax(-1).matmul(x).powi(2).sum()
    })(x, w)
}
