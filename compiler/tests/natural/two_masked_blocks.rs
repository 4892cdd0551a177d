// Two layers of causal attention over positions, which read one mask.
// N = 21
pub fn two_masked_blocks<const N: usize>(&self, x: Tensor<f32, N, 8>, w: [Tensor<f32, 8, 24>; 2], out: [Tensor<f32, 8, 8>; 2]) -> Tensor<f32, N, 8> {
    let angle = arange::<f32, N>().outer(tensor([1.0, 0.1]));
    let (c, s) = (angle.cos().insert_axis(1), angle.sin().insert_axis(1));
    let rotate = |a: Tensor<f32, N, 2, 4>| {
        let (a, b) = (a[s![.., .., ..2]], a[s![.., .., 2..]]);
        concatenate([a * c - b * s, a * s + b * c], 2)
    };
    let mut x = x;
    for layer in 0..2 {
        let qkv = x.dot(w[layer]).reshape([N, 3, 2, 4]);
        let scores = einsum!("ihd,jhd->hij", rotate(qkv[s![.., 0]]), rotate(qkv[s![.., 1]])) / 2.0;
        let mask = iota::<i32, N, N>(0) >= iota::<i32, N, N>(1);
        let shares = select(mask, scores, f32::NEG_INFINITY).softmax(-1);
        x += einsum!("hij,jhd->ihd", shares, qkv[s![.., 2]]).reshape([N, 8]).dot(out[layer]);
    }
    x
}
