// The derivatives of a block of a transformer, with 4 heads and normalised inputs.
pub fn transformer_grad(
    &self,
    x: Tensor<f32, 8, 128, 256>,
    y: Tensor<f32, 8, 128, 256>,
    first: Tensor<f32, 256>,
    queries: Tensor<f32, 256, 768>,
    outputs: Tensor<f32, 256, 256>,
    second: Tensor<f32, 256>,
    up: Tensor<f32, 256, 1024>,
    down: Tensor<f32, 1024, 256>,
) -> (
    Tensor<f32, 256>,
    Tensor<f32, 256, 768>,
    Tensor<f32, 256, 256>,
    Tensor<f32, 256>,
    Tensor<f32, 256, 1024>,
    Tensor<f32, 1024, 256>,
) {
    let normalized = |x: Tensor<f32, 8, 128, 256>, scale: Tensor<f32, 256>| {
        x * ((x * x).mean_axis(-1).insert_axis(-1) + 1e-5).rsqrt() * scale
    };
    let loss = |first: Tensor<f32, 256>,
                queries: Tensor<f32, 256, 768>,
                outputs: Tensor<f32, 256, 256>,
                second: Tensor<f32, 256>,
                up: Tensor<f32, 256, 1024>,
                down: Tensor<f32, 1024, 256>| {
        let split = normalized(x, first).matmul(queries / 16.0).reshape([8, 128, 3, 4, 64]);
        let split = split.permute([2, 0, 3, 1, 4]);
        let (q, k, v) = (split[0], split[1], split[2]);
        let heads = (q.matmul(k.swap_axes(-2, -1)) / 8.0).softmax(-1).matmul(v);
        let x = x + heads.swap_axes(1, 2).reshape([8, 128, 256]).matmul(outputs / 16.0);
        let x = x + normalized(x, second).matmul(up / 16.0).silu().matmul(down / 32.0);
        (x * y).sum()
    };
    grad::<0, 1, 2, 3, 4, 5>(loss)(first, queries, outputs, second, up, down)
}
