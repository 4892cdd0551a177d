// The power method for ranks of pages.
// N = 60
// positive: a
pub fn pagerank<const N: usize>(&self, a: Tensor<f32, N, N>) -> Tensor<f32, N> {
    let d = a.sum_axis(1);
    let p = select(
        d.insert_axis(1).broadcast_to([N, N]) > 0.0,
        a / d.insert_axis(1),
        full_like(a, 0.01),
    );
    let mut r = full_like(d, 1.0);
    r = r / r.sum();
    for _ in 0..50 {
        r = p.t().dot(r) * 0.85 + 0.15 / r.sum() * (1.0 / 100.0);
    }
    r
}
