// The derivative through a step of learning, of several tasks at a time.
pub fn maml(&self, w: Tensor<f64, 4, 4>, x: Tensor<f64, 6, 10, 4>, y: Tensor<f64, 6, 10, 4>) -> (Tensor<f64>, Tensor<f64, 4, 4>) {
    let loss = |w: Tensor<f64, 4, 4>, x: Tensor<f64, 10, 4>, y: Tensor<f64, 10, 4>| ((x.dot(w).tanh() - y).powi(2)).mean();
    value_and_grad(|w: Tensor<f64, 4, 4>| {
        let task = |x: Tensor<f64, 10, 4>, y: Tensor<f64, 10, 4>| {
            let learnt = w - grad(loss)(w, x, y) * 0.1;
            loss(learnt, x, y)
        };
        vmap(task)(x, y).mean()
    })(w)
}
