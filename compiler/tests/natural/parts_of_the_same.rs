// Parts of tensors, replaced by what is computed of other places of the same tensors.
// N = 70
// below 3: k, s
pub fn shifted(&self, x: Tensor<f32, 33>) -> Tensor<f32, 33> {
    let mut z = x * 2.0;
    z[s![1..]] = z[s![..-1]] * 3.0;
    z
}
pub fn shifted_down(&self, x: Tensor<f32, 64>, y: Tensor<f32, 62>) -> (Tensor<f32, 64>, Tensor<f32>) {
    let mut z = x + 1.0;
    z[s![..-2]] = z[s![2..]] - y;
    (z, z.sum())
}
pub fn stencil(&self, x: Tensor<f32, 40>, steps: Tensor<i32>) -> Tensor<f32, 40> {
    let mut u = x;
    for _ in range(0, steps % 5 + 2) {
        u[s![1..-1]] = u[s![1..-1]] + (u[s![2..]] - u[s![1..-1]] * 2.0 + u[s![..-2]]) * 0.25;
    }
    u
}
pub fn stencil_of_a_plane(&self, x: Tensor<f64, 12, 17>) -> Tensor<f64, 12, 17> {
    let mut u = x.sin();
    for _ in 0..3 {
        u[s![1..-1, 1..-1]] = (u[s![..-2, 1..-1]] + u[s![2.., 1..-1]] + u[s![1..-1, ..-2]] + u[s![1..-1, 2..]]) / 4.0;
    }
    u
}
pub fn row_of_a_product(&self, a: Tensor<f32, 24, 24>, s: Tensor<i32>) -> Tensor<f32, 24, 24> {
    let mut b = a * 0.5;
    b[s] = b.dot(b[s + 1]);
    b
}
pub fn columns_of_sums(&self, a: Tensor<f32, 20, 30>) -> Tensor<f32, 20, 30> {
    let mut b = a.abs();
    b[s![.., 3]] = b.sum_axis(1);
    b[s![5, ..]] = b.sum_axis(0);
    b
}
pub fn rows_exchanged(&self, a: Tensor<i32, 8, 40>, k: Tensor<i32>, s: Tensor<i32>) -> Tensor<i32, 8, 40> {
    let mut b = a + 1;
    b[k] = b[s + 3] * 2 - b[k];
    b[s] = b[k + 1] + b[7];
    b
}
pub fn of_a_size_of_the_call<const N: usize>(&self, x: Tensor<f32, N>, y: Tensor<f32, N>) -> Tensor<f32, N> {
    let mut z = x * y;
    z[s![1..]] = z[s![..-1]] + y[s![1..]];
    z
}
pub fn turned(&self, a: Tensor<f32, 18, 18>) -> Tensor<f32, 18, 18> {
    let mut b = a - 1.0;
    b[s![..9, ..]] = b[s![.., ..9]].t() * b[s![9.., ..]];
    b
}
pub fn backwards(&self, x: Tensor<f64, 50>) -> Tensor<f64, 50> {
    let mut z = x.exp();
    z[s![10..40]] = z[s![10..40]].reverse(0) + z[s![10..40]].cumsum(0);
    z
}
pub fn everywhere(&self, x: Tensor<f32, 48>) -> Tensor<f32, 48> {
    let mut z = x * x;
    z[s![24..]] = z[s![24..]] - z.mean();
    z[s![..24]] /= z.max();
    z
}
pub fn at_the_same_places(&self, x: Tensor<f32, 48>, k: Tensor<i32>) -> Tensor<f32, 48> {
    let mut z = x + 2.0;
    z[s![8..40]] = z[s![8..40]] * 3.0 + z[s![8..40]].sqrt();
    for i in range(0, k + 3) {
        z[i] = z[i] * 2.0 + z[i + 1];
    }
    z
}
