// A variational autoencoder.
// positive: x
pub fn autoencoder(
    &self,
    key: Tensor<u32, 2>,
    x: Tensor<f32, 64, 784>,
    we: Tensor<f32, 784, 40>,
    wd: Tensor<f32, 20, 784>,
) -> (Tensor<f32>, Tensor<f32, 64, 784>) {
    let h = x.dot(we) * 0.02;
    let (mu, lv) = (h[s![.., ..20]], h[s![.., 20..]]);
    let z = mu + (lv * 0.5).exp() * random::normal::<f32, 64, 20>(key);
    let y = z.dot(wd);
    let bce = (y.softplus() - x * y).sum_axis(1);
    let kl = ((mu * mu) + lv.exp() - lv - 1.0).sum_axis(1) * 0.5;
    ((bce + kl).mean(), y.sigmoid())
}
