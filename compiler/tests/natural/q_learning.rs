// The loss of deep Q-learning.
// below 6: a
pub fn q_learning(
    &self,
    q: Tensor<f32, 64, 6>,
    qn: Tensor<f32, 64, 6>,
    a: Tensor<i32, 64>,
    r: Tensor<f32, 64>,
    done: Tensor<bool, 64>,
) -> (Tensor<f32>, Tensor<f32, 64>) {
    let chosen = (q * a.one_hot::<f32, 6>()).sum_axis(1);
    let target = r + select(done, zeros_like(r), qn.max_axis(1) * 0.99);
    let e = target - chosen;
    let l = select(e.abs() < 1.0, e * e * 0.5, e.abs() - 0.5);
    (l.mean(), e)
}
