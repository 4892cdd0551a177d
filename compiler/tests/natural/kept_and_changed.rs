// Tensors of which parts are replaced in loops while others need them as they were, or hand them on elsewhere.
pub fn kept_and_changed(
    &self,
    a: Tensor<f32, 6>,
    b: Tensor<f32, 6>,
    m: Tensor<f64, 3, 6>,
) -> (
    Tensor<f32, 6>,
    Tensor<f32, 6>,
    Tensor<f32>,
    Tensor<f64, 3, 6>,
    Tensor<f32, 1>,
) {
    let mut x = a;
    let mut y = b;
    let mut sum: Tensor<f32> = 0.0;
    let mut rows = m;
    let mut single = a[s![..1]];
    for i in range(0, 6) {
        let old = x;
        x[i] = 1.0;
        for j in range(0, 3) {
            sum += old[j] * x[j];
        }
        let mut z = y;
        z[i] = 2.0;
        let both = (x * 2.0, z);
        y = both.0;
        x = both.1.reverse(0);
        x[s![..;3]] += 0.5;
        rows[i % 3] = rows[(i + 1) % 3] - rows[0];
        single[0] = single[0] * 0.5 + 1.0;
    }
    (x, y, sum, rows, single)
}
