// A step of a variational autoencoder with drawn noise.
pub fn vae_step(
    &self,
    x: Tensor<f32, 64, 256>,
    encode: Tensor<f32, 256, 128>,
    moments: Tensor<f32, 128, 32>,
    decode: Tensor<f32, 16, 256>,
) -> (Tensor<f32>, Tensor<f32, 256, 128>, Tensor<f32, 128, 32>, Tensor<f32, 16, 256>) {
    let noise = random::normal::<f32, 64, 16>(random::key(7));
    let loss = |encode: Tensor<f32, 256, 128>, moments: Tensor<f32, 128, 32>, decode: Tensor<f32, 16, 256>| {
        let h = (x.dot(encode) / 16.0).tanh().dot(moments) / 11.0;
        let (mean, log_variance) = (h[s![.., ..16]], h[s![.., 16..]]);
        let z = mean + (log_variance * 0.5).exp() * noise;
        let y = z.dot(decode) / 4.0;
        let reconstruction = (y - x).powi(2).sum_axis(1);
        let divergence = (1.0 + log_variance - mean * mean - log_variance.exp()).sum_axis(1) * -0.5;
        (reconstruction + divergence).mean()
    };
    let (l, (a, b, c)) = value_and_grad::<0, 1, 2>(loss)(encode, moments, decode);
    (l, a, b, c)
}
