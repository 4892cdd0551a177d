// Gauss and Seidel: each unknown is replaced in its turn, in two loops.
pub fn swept_system(&self, a: Tensor<f64, 20, 20>, b: Tensor<f64, 20>) -> Tensor<f64, 20> {
    fori(12, zeros::<f64, 20>(), |_round, x| {
        fori(20, x, |i, x| {
            let rest = b[i] - a[i].dot(x) + a[i][i] * x[i];
            let mut x = x;
            x[i] = rest / (a[i][i] + 30.0);
            x
        })
    })
}
