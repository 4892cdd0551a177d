// Paths through labels, in logarithms.
// T = 25
pub fn alignment<const T: usize>(&self, lp: Tensor<f32, T, 9>) -> Tensor<f32> {
    let (a, _) = scan(lp[0], lp, |a: Tensor<f32, 9>, l: Tensor<f32, 9>| {
        let s = concatenate([full::<f32, 1>(-1e30), a[s![..8]]], 0);
        let m = a.maximum(s);
        let a = m + ((a - m).exp() + (s - m).exp()).ln() + l;
        (a, a.max())
    });
    a[8]
}
