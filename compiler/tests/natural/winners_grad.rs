// Second derivatives of what is the largest or last of several at a place, in batches and loops.
// B = 17
// N = 6
pub fn winners_grad<const B: usize, const N: usize>(&self, x: Tensor<f64, B, N>, v: Tensor<f64, B, N>) -> (Tensor<f64>, Tensor<f64, B, N>) {
    let f = |x: Tensor<f64, N>| full::<f64, N>(-9.0).scatter_max(((x * 3.0).floor() as i32).rem_euclid(N as i32), x, 0)
                              + x.scatter(((x * 5.0).floor() as i32).rem_euclid(N as i32), x.exp(), 0);
    let s = |x: Tensor<f64, N>| f(x).sin().sum();
    let w = vmap(f)(x).cos() + 0.3;
    let first = grad(|x: Tensor<f64, B, N>| (vmap(f)(x) * w).sum())(x);
    let h2 = grad(|x: Tensor<f64, B, N>| jvp(|x: Tensor<f64, B, N>| map(x, s).sum(), x, v).1)(x);
    (first.sum() + w.sum(), h2)
}
