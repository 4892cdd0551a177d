// Products of parts of columns, of blocks, and of forces between points.
pub fn columns(
    &self,
    x: Tensor<f32, 300, 200>,
    w: Tensor<f32, 100, 50>,
    m: Tensor<f32, 256, 256>,
    points: Tensor<f32, 100, 3>,
) -> (Tensor<f32, 300, 50>, Tensor<f32, 50, 100>, Tensor<f32, 128, 128>, Tensor<f32, 100, 3>) {
    let [a, b] = [m[s![..128, ..128]], m[s![..128, 128..]]];
    let away = points - points.insert_axis(1);
    let force = ((away * away).sum_axis(2).insert_axis(2) * away).sum_axis(1);
    (
        x[s![.., ..100]].dot(w),
        w.t().dot(x[s![..100, 100..]]),
        (a + b).dot(m[s![128.., ..128]]),
        force,
    )
}
