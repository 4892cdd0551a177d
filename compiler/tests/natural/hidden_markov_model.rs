// The likelihood of observations under a hidden Markov model.
// T = 40
// positive: a, b, pi
// below 10: y
pub fn hidden_markov_model<const T: usize>(
    &self,
    a: Tensor<f64, 6, 6>,
    b: Tensor<f64, 6, 10>,
    pi: Tensor<f64, 6>,
    y: Tensor<i32, T>,
) -> Tensor<f64> {
    let a = a / a.sum_axis(1).insert_axis(1);
    let b = b / b.sum_axis(1).insert_axis(1);
    let (_, s) = scan(pi / pi.sum(), y, |p: Tensor<f64, 6>, o: Tensor<i32>| {
        let q = p.dot(a) * b.take(o, 1);
        let n = q.sum();
        (q / n, n.ln())
    });
    s.sum()
}
