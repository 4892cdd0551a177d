// A step of Adam on a net of wide layers with offsets, and what is reported beside it.
pub fn big_mlp_adam(
    &self,
    x: Tensor<f32, 512, 256>,
    y: Tensor<f32, 512, 64>,
    w: Tensor<f32, 256, 1024>,
    b: Tensor<f32, 1024>,
    v: Tensor<f32, 1024, 64>,
    c: Tensor<f32, 64>,
) -> (Tensor<f32>, Tensor<f32>, Tensor<f32, 256, 1024>, Tensor<f32, 1024>, Tensor<f32, 1024, 64>, Tensor<f32, 64>) {
    let loss = |w: Tensor<f32, 256, 1024>, b: Tensor<f32, 1024>, v: Tensor<f32, 1024, 64>, c: Tensor<f32, 64>| {
        let h = (x.dot(w) / 16.0 + b).gelu();
        let z = h.dot(v) / 32.0 + c;
        ((z - y) * (z - y)).mean()
    };
    let (l, (gw, gb, gv, gc)) = value_and_grad::<0, 1, 2, 3>(loss)(w, b, v, c);
    let norm = ((gw * gw).sum() + (gb * gb).sum() + (gv * gv).sum() + (gc * gc).sum()).sqrt();
    let scale = (1.0 / norm).minimum(1.0);
    (l, norm, w - gw * scale, b - gb * scale, v - gv * scale, c - gc * scale)
}
