// A step of low-rank adaptation.
pub fn low_rank_adaptation(
    &self,
    x: Tensor<f32, 64, 256>,
    y: Tensor<f32, 64, 256>,
    w: Tensor<f32, 256, 256>,
    a: Tensor<f32, 256, 8>,
    b: Tensor<f32, 8, 256>,
) -> (Tensor<f32>, Tensor<f32, 256, 8>, Tensor<f32, 8, 256>) {
    let (l, (da, db)) =
        value_and_grad::<0, 1>(|a: Tensor<f32, 256, 8>, b: Tensor<f32, 8, 256>| {
            let e = x.dot(w) + x.dot(a).dot(b) * 2.0 - y;
            (e * e).mean()
        })(a, b);
    (
        l,
        a - da / (da.abs() + 1e-8) * 1e-3,
        b - db / (db.abs() + 1e-8) * 1e-3,
    )
}
