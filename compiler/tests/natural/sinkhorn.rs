// Sinkhorn's iterations for optimal transport.
pub fn sinkhorn(&self, c: Tensor<f32, 100, 120>) -> Tensor<f32, 100, 120> {
    let k = c * -10.0;
    let mut u = zeros::<f32, 100>();
    let mut v = zeros::<f32, 120>();
    for _ in 0..20 {
        u = -(k + v).logsumexp_axis(1) - 4.6;
        v = -(k + u.insert_axis(1)).logsumexp_axis(0) - 4.78;
    }
    (k + u.insert_axis(1) + v).exp()
}
