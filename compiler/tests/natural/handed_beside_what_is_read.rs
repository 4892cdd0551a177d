// Branches and loops that hand on a tensor that is also read behind them.
// N = 33, 1
// below 3: k
pub fn added(&self, x: Tensor<i32, 4>, y: Tensor<i32, 4>, w: Tensor<i32, 4, 4>, k: Tensor<i32>) -> Tensor<i32, 4> {
    let b = y * 2;
    let handed = if k < 3 { x.dot(w) } else { b };
    handed + b
}
pub fn on_the_other_side(&self, x: Tensor<i32, 4>, w: Tensor<i32, 4, 4>, k: Tensor<i32>) -> (Tensor<i32, 4>, Tensor<i32, 4>) {
    let b = x * 2;
    let handed = if k < 1 { b } else { w.dot(x) };
    (handed.dot(w) + b.dot(w), b)
}
pub fn nested(&self, x: Tensor<f32, 4>, y: Tensor<f32, 4>, w: Tensor<f32, 4, 4>, k: Tensor<i32>) -> Tensor<f32, 4> {
    let b = y.sin();
    let handed = if k < 2 {
        let t = x.dot(w);
        if k < 1 { t.dot(w) } else { t }
    } else {
        b
    };
    handed + b
}
pub fn in_a_loop(&self, x: Tensor<i32, 4>, w: Tensor<i32, 4, 4>, k: Tensor<i32>) -> Tensor<i32, 4> {
    let mut y = x;
    for i in range(0, k + 3) {
        let b = y * 2;
        let c = if i % 2 == 0 { x.dot(w) } else { b };
        y = c - b * i;
    }
    y
}
pub fn of_a_size_of_the_call<const N: usize>(&self, x: Tensor<f64, N>, w: Tensor<f64, N, N>, k: Tensor<i32>) -> Tensor<f64, N> {
    let b = x * 2.0;
    let y = if x.sum() < 3.0 { w.dot(x) } else { b };
    y + b * (k as f64)
}
pub fn behind_a_loop(&self, x: Tensor<i32, 36>, y: Tensor<i32, 36>, k: Tensor<i32>) -> (Tensor<i32, 36>, Tensor<i32>, Tensor<i32, 36>) {
    let mut a = y * 3;
    for _ in range(0, k) {
        a = x;
    }
    let sum = x.sum();
    (concatenate([tensor([5, 6, 7]), a[s![3..]]], 0), sum, a)
}
