// A contrastive loss over two views, with its accuracy.
pub fn contrastive(
    &self,
    a: Tensor<f32, 96, 64>,
    b: Tensor<f32, 96, 64>,
) -> (Tensor<f32>, Tensor<f32>) {
    let a = a / (a * a).sum_axis(1).sqrt().insert_axis(1);
    let b = b / (b * b).sum_axis(1).sqrt().insert_axis(1);
    let l = a.dot(b.t()) / 0.07;
    let d = (l * eye::<f32, 96, 96>()).sum_axis(1);
    let loss = ((l.logsumexp_axis(1) - d).mean() + (l.logsumexp_axis(0) - d).mean()) / 2.0;
    let acc = (l.argmax_axis(1) == arange::<i32, 96>()) as f32;
    (loss, acc.mean())
}
