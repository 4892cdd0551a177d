// Products whose result has the axes of a batch last, which one of the factors has elsewhere, again and again.
pub fn turned_products(
    &self,
    a: Tensor<f32, 4, 5>,
    b: Tensor<f32, 5, 4>,
    c: Tensor<f32, 5>,
    d: Tensor<f64, 3, 4, 5>,
    e: Tensor<f64, 5, 4, 3>,
) -> (
    Tensor<f32, 5>,
    Tensor<f32, 4, 5>,
    Tensor<f64, 5, 4, 3>,
    Tensor<f64, 3, 4>,
) {
    fori(3, (c, a, e, d[s![.., .., 0]]), |_, state| {
        let (s, t, u, v) = state;
        let s = s + einsum!("ab,ba->b", a, b + s.insert_axis(1));
        let t = einsum!("ab,ba->ab", t, b) * 0.5;
        let u = u * 0.5 + einsum!("abc,cba->cba", d, u);
        let v = einsum!("abc,cba->ab", d, u) + v;
        (s, t, u, v)
    })
}
