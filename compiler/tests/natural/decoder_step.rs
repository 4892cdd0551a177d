// A step of a decoder of tokens, with a causal mask and weights that are shared with the embedding.
// below 128: t
pub fn decoder_step(
    &self,
    t: Tensor<i32, 4, 64>,
    table: Tensor<f32, 128, 64>,
    q: Tensor<f32, 64, 192>,
    o: Tensor<f32, 64, 64>,
    up: Tensor<f32, 64, 256>,
    down: Tensor<f32, 256, 64>,
) -> (Tensor<f32>, Tensor<f32, 128, 64>, Tensor<f32, 64, 192>, Tensor<f32, 64, 64>, Tensor<f32, 64, 256>, Tensor<f32, 256, 64>) {
    let norm = |x: Tensor<f32, 4, 64, 64>| x * ((x * x).mean_axis(-1).insert_axis(-1) + 1e-6).rsqrt();
    let loss = |table: Tensor<f32, 128, 64>, q: Tensor<f32, 64, 192>, o: Tensor<f32, 64, 64>, up: Tensor<f32, 64, 256>, down: Tensor<f32, 256, 64>| {
        let x = table.take(t, 0);
        let split = norm(x).matmul(q / 8.0).reshape([4, 64, 3, 4, 16]).permute([2, 0, 3, 1, 4]);
        let scores = split[0].matmul(split[1].swap_axes(-2, -1)) / 4.0;
        let causal = arange::<i32, 64>().insert_axis(1) >= arange::<i32, 64>();
        let heads = select(causal, scores, -1e9).softmax(-1).matmul(split[2]);
        let x = x + heads.swap_axes(1, 2).reshape([4, 64, 64]).matmul(o / 8.0);
        let x = x + norm(x).matmul(up / 8.0).gelu().matmul(down / 16.0);
        let scores = norm(x).matmul(table.t()) / 8.0;
        let likely = scores[s![.., ..63, ..]].log_softmax(-1);
        -(likely * t[s![.., 1..]].one_hot::<f32, 128>()).sum_axis(-1).mean()
    };
    let (l, (a, b, c, d, e)) = value_and_grad::<0, 1, 2, 3, 4>(loss)(table, q, o, up, down);
    (l, a, b, c, d, e)
}
