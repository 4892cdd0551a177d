// The gradient of an LSTM over a sequence, by all of its weights.
pub fn long_memory_grad(
    &self,
    xs: Tensor<f32, 25, 6>,
    wx: Tensor<f32, 6, 40>,
    wh: Tensor<f32, 10, 40>,
    b: Tensor<f32, 40>,
) -> (Tensor<f32, 6, 40>, Tensor<f32, 10, 40>, Tensor<f32, 40>) {
    grad(
        |weights: (Tensor<f32, 6, 40>, Tensor<f32, 10, 40>, Tensor<f32, 40>)| {
            let (wx, wh, b) = weights;
            let start = (zeros::<f32, 10>(), zeros::<f32, 10>());
            let (_, hidden) = scan(start, xs, |state, x| {
                let (h, c) = state;
                let [i, f, g, o] = (x.dot(wx) + h.dot(wh) + b).split(4, 0);
                let c = f.sigmoid() * c + i.sigmoid() * g.tanh();
                let h = o.sigmoid() * c.tanh();
                ((h, c), h)
            });
            (hidden * hidden).mean()
        },
    )((wx, wh, b))
}
