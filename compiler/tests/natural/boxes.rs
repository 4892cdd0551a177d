// Boxes that overlap no better one.
// N = 60
// positive: b
pub fn boxes<const N: usize>(
    &self,
    b: Tensor<f32, N, 4>,
    s: Tensor<f32, N>,
) -> (Tensor<bool, N>, Tensor<f32, N, N>) {
    let i = (-s).argsort(0);
    let b = b.take(i, 0);
    let (x0, y0, x1, y1) = (
        b[s![.., 0]],
        b[s![.., 1]],
        b[s![.., 0]] + b[s![.., 2]],
        b[s![.., 1]] + b[s![.., 3]],
    );
    let w = (x1.insert_axis(1).minimum(x1) - x0.insert_axis(1).maximum(x0)).relu();
    let h = (y1.insert_axis(1).minimum(y1) - y0.insert_axis(1).maximum(y0)).relu();
    let a = b[s![.., 2]] * b[s![.., 3]];
    let n = w * h;
    let iou = n / (a.insert_axis(1) + a - n);
    let k = arange::<i32, N>();
    let before = k.insert_axis(1) > k;
    let o = (iou > 0.5) & before;
    (!o.any_axis(1), iou)
}
