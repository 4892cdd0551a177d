// Two triangular systems with one matrix, and their slopes: products are added to those from before a loop.
// N = 9
// K = 2
pub fn systems_grad<const N: usize, const K: usize>(&self, a: Tensor<f64, N, N>, b: Tensor<f64, N, K>) -> (Tensor<f64, N, N>, Tensor<f64, N, K>) {
    let a = a * 0.1 + eye() * 2.0;
    let energy = |a: Tensor<f64, N, N>, b: Tensor<f64, N, K>| {
        let x = triangular_solve!(a, b) + triangular_solve!(a, b, lower = false);
        (a.solve(x.sin()) * x).sum()
    };
    grad::<0, 1>(energy)(a, b)
}
