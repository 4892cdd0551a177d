// A step of k-means.
// N = 200
pub fn kmeans<const N: usize>(
    &self,
    x: Tensor<f32, N, 16>,
    c: Tensor<f32, 8, 16>,
) -> (Tensor<f32, 8, 16>, Tensor<i32, N>, Tensor<f32>) {
    let d = (x * x).sum_axis(1).insert_axis(1) + (c * c).sum_axis(1) - x.dot(c.t()) * 2.0;
    let l = d.argmin_axis(1);
    let o = l.one_hot::<f32, 8>();
    let n = o.sum_axis(0);
    (
        o.t().dot(x) / n.maximum(1.0).insert_axis(1),
        l,
        d.min_axis(1).mean(),
    )
}
