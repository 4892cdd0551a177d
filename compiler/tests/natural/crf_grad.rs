// The derivatives of the logarithm of all paths through labels.
// S = 20
pub fn crf_grad<const S: usize>(&self, e: Tensor<f64, S, 3, 7>, t: Tensor<f64, 7, 7>) -> (Tensor<f64>, Tensor<f64, S, 3, 7>, Tensor<f64, 7, 7>) {
    let loss = |e: Tensor<f64, S, 3, 7>, t: Tensor<f64, 7, 7>| {
        let step = |a: Tensor<f64, 3, 7>, e: Tensor<f64, 3, 7>| {
            let next = (a.insert_axis(2) + t).logsumexp_axis(1) + e;
            (next, ())
        };
        let (last, _) = scan(zeros::<f64, 3, 7>(), e, step);
        last.logsumexp_axis(1).sum()
    };
    let (l, (a, b)) = value_and_grad::<0, 1>(loss)(e, t);
    (l, a, b)
}
