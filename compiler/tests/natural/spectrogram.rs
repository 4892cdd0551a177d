// The logarithm of a spectrogram, in bands.
pub fn spectrogram(&self, x: Tensor<f32, 16000>) -> Tensor<f32, 61, 40> {
    let i = (arange::<i32, 61>() * 256).insert_axis(1) + arange::<i32, 512>();
    let w = (arange::<f32, 512>() * (6.2831853 / 512.0)).cos() * -0.5 + 0.5;
    let f = (x.take(i, 0) * w).rfft();
    let p = f.re() * f.re() + f.im() * f.im();
    (p[s![.., ..240]].reshape([61, 40, 6]).mean_axis(2) + 1e-6).ln()
}
