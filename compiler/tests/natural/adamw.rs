// A step of Adam with decoupled weight decay, of clipped gradients.
// positive: v, t
pub fn adamw(
    &self,
    p: Tensor<f32, 128, 96>,
    g: Tensor<f32, 128, 96>,
    m: Tensor<f32, 128, 96>,
    v: Tensor<f32, 128, 96>,
    t: Tensor<f32>,
) -> (
    Tensor<f32, 128, 96>,
    Tensor<f32, 128, 96>,
    Tensor<f32, 128, 96>,
) {
    let n = (g * g).sum().sqrt();
    let g = g * (1.0 / n.maximum(1.0));
    let m = m * 0.9 + g * 0.1;
    let v = v * 0.999 + g * g * 0.001;
    let mh = m / (1.0 - (t * -0.10536052).exp());
    let vh = v / (1.0 - (t * -0.0010005).exp());
    (p - (mh / (vh.sqrt() + 1e-8) + p * 0.01) * 1e-3, m, v)
}
