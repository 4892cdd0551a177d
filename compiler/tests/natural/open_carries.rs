// What scans and loops begin with, of a type that only an iteration tells.
// N = 7, 1
pub fn continued<const N: usize>(&self, a: Tensor<f64, N>) -> Tensor<f64, N> {
    let (_, y) = scan(zeros(), a, |p, a| {
        let n = a / (8.0 - a * p);
        (n, n)
    });
    y
}
pub fn substituted<const N: usize>(&self, a: Tensor<f64, N>, c: Tensor<f64, N>, d: Tensor<f64, N>) -> Tensor<f64, N> {
    let (_, (c, d)) = scan((zeros(), zeros()), (a, c, d), |(p, q), (a, c, d)| {
        let m = 8.0 - a * p;
        ((c / m, (d - a * q) / m), (c / m, (d - a * q) / m))
    });
    let (_, x) = scan(zeros(), (c.reverse(0), d.reverse(0)), |x, (c, d)| {
        let x = d - c * x;
        (x, x)
    });
    x.reverse(0)
}
pub fn rows(&self, b: Tensor<f32, 5, 3>) -> (Tensor<f32, 3>, Tensor<f32, 5, 3>) {
    scan(zeros(), b, |sum, b| {
        let sum = sum * 0.5 + b;
        (sum, sum)
    })
}
pub fn momentum(&self, e: Tensor<f64, 6>) -> (Tensor<f64, 6>, Tensor<f64>) {
    fori(3, (e, 1.0), |_, (x, t)| {
        let next = 0.5 * (1.0 + (1.0 + 4.0 * t * t).sqrt());
        (x + (t - 1.0) / next * x, next)
    })
}
pub fn counted(&self, e: Tensor<f64, 6>) -> (Tensor<f64, 6>, Tensor<i32>) {
    fori(4, (e, 0), |_, (x, n)| (x * 0.5, n + 1))
}
