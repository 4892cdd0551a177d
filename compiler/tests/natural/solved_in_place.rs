// What is solved in place: fields on grids, systems of equations, shortest ways, tables of distances, filters.
// N = 57, 1
// below 3: k
pub fn heat(&self, a: Tensor<f32, 40, 33>, k: Tensor<i32>) -> Tensor<f32, 40, 33> {
    let mut u = a;
    for _ in range(0, k + 4) {
        let lap = u[s![..-2, 1..-1]] + u[s![2.., 1..-1]] + u[s![1..-1, ..-2]] + u[s![1..-1, 2..]] - u[s![1..-1, 1..-1]] * 4.0;
        u[s![1..-1, 1..-1]] += lap * 0.1;
        u[s![0, ..]] = u[s![1, ..]];
        u[s![-1, ..]] = u[s![-2, ..]];
    }
    u
}
pub fn relaxation(&self, a: Tensor<f64, 30, 30>, k: Tensor<i32>) -> Tensor<f64, 30, 30> {
    let mut u = a;
    for _ in range(0, k + 2) {
        for i in range(1, 29) {
            u[s![i, 1..-1]] = (u[s![i - 1, 1..-1]] + u[s![i + 1, 1..-1]] + u[s![i, ..-2]] + u[s![i, 2..]]) * 0.25;
        }
    }
    u
}
pub fn tridiagonal(&self, a: Tensor<f64, 50>, c: Tensor<f64, 50>, d: Tensor<f64, 50>) -> Tensor<f64, 50> {
    let b = 4.0;
    let (mut cp, mut dp) = (c, d);
    cp[0] = c[0] / b;
    dp[0] = d[0] / b;
    for i in range(1, 50) {
        let m = b - a[i] * cp[i - 1];
        cp[i] = c[i] / m;
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m;
    }
    let mut x = dp;
    for j in range(1, 50) {
        let i = 49 - j;
        x[i] = dp[i] - cp[i] * x[i + 1];
    }
    x
}
pub fn factors(&self, a: Tensor<f64, 20, 20>) -> Tensor<f64, 20, 20> {
    let mut a = a + eye::<f64, 20, 20>() * 20.0;
    for k in range(0, 19) {
        for i in range(k + 1, 20) {
            let f = a[(i, k)] / a[(k, k)];
            a[i] = a[i] - a[k] * f;
            a[(i, k)] = f;
        }
    }
    a
}
pub fn shortest_ways(&self, d: Tensor<f32, 24, 24>) -> Tensor<f32, 24, 24> {
    let mut d = d + 2.0;
    for k in range(0, 24) {
        d = d.minimum(d[s![.., k]].insert_axis(1) + d[k].insert_axis(0));
    }
    d
}
pub fn distance(&self, a: Tensor<i32, 12>, b: Tensor<i32, 15>) -> Tensor<i32> {
    let mut t = zeros::<i32, 13, 16>();
    t[s![.., 0]] = iota::<i32, 13>(0);
    t[s![0, ..]] = iota::<i32, 16>(0);
    for i in range(0, 12) {
        for j in range(0, 15) {
            let cost = if a[i] == b[j] { 0 } else { 1 };
            t[(i + 1, j + 1)] = (t[(i, j)] + cost).minimum(t[(i, j + 1)] + 1).minimum(t[(i + 1, j)] + 1);
        }
    }
    t[(12, 15)]
}
pub fn wavelet(&self, x: Tensor<f32, 64>) -> Tensor<f32, 64> {
    let mut y = x;
    let (a, d) = ((y[s![..;2]] + y[s![1..;2]]) * 0.7071, (y[s![..;2]] - y[s![1..;2]]) * 0.7071);
    y[s![..32]] = a;
    y[s![32..]] = d;
    let (a, d) = ((y[s![..32;2]] + y[s![1..32;2]]) * 0.7071, (y[s![..32;2]] - y[s![1..32;2]]) * 0.7071);
    y[s![..16]] = a;
    y[s![16..32]] = d;
    y
}
pub fn averages<const N: usize>(&self, x: Tensor<f64, N, 20>) -> (Tensor<f64, N, 20>, Tensor<f64, 20>) {
    let mut out = x;
    let mut state = zeros::<f64, 20>();
    for i in 0..N {
        state = state * 0.9 + x[i] * 0.1;
        out[i] = state - out[i];
    }
    (out, state)
}
pub fn delay<const N: usize>(&self, x: Tensor<f32, N>) -> (Tensor<f32, 8>, Tensor<f32, 8>) {
    let mut last = zeros::<f32, 8>();
    let mut before = last;
    for i in 0..N {
        before = last;
        last = concatenate([zeros::<f32, 1>(), last[s![1..7]] * 0.5, x[i].reshape([1])], 0);
    }
    (last, before)
}
