// Losses of some thousand numbers with their slopes, the largest of all, and shares of the whole.
// positive: y
pub fn losses(
    &self,
    x: Tensor<f32, 128, 91>,
    y: Tensor<f32, 128, 91>,
    v: Tensor<f64, 6000>,
) -> (
    (Tensor<f32>, Tensor<f32, 128, 91>),
    (Tensor<f32>, Tensor<f32, 128, 91>),
    (Tensor<f32>, Tensor<f32, 128, 91>),
    (Tensor<f32, 128, 91>, Tensor<f32, 128, 91>),
    (Tensor<f64>, Tensor<f64, 6000>),
) {
    let huber = |x: Tensor<f32, 128, 91>| {
        let e = (x - y).abs();
        select(e < 0.5, e * e * 0.5, e * 0.5 - 0.125).mean()
    };
    let focal = |x: Tensor<f32, 128, 91>| {
        let p = x.sigmoid();
        let right = p * y + (1.0 - p) * (1.0 - y);
        ((x.softplus() - x * y) * (1.0 - right) * (1.0 - right)).sum() / 100.0
    };
    let a = x + y;
    let b = a.exp();
    let product = a * b;
    let d = v.tanh();
    let e = d * v + 1.0;
    (
        value_and_grad(huber)(x),
        value_and_grad(focal)(x),
        (product.max(), a - b),
        (product / product.sum(), b * b),
        ((d * e).sum(), e),
    )
}
