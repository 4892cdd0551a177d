// Numbers that say where something is, read from tensors that then change in place.
// below 3: k, s
pub fn in_turns(&self, x: Tensor<i32, 4>, a: Tensor<i32, 4>, b: Tensor<i32, 4>, s: Tensor<i32>, k: Tensor<i32>) -> (Tensor<i32, 4>, Tensor<i32>, Tensor<i32, 4>, Tensor<i32, 4>, Tensor<i32>) {
    let mut c = (x + 3) * 2;
    c[s![0..2]] = a[s![2..4]];
    let sum = s + s + c[k];
    let mut next = a;
    next[k + sum] += k + sum;
    let found = next + b[sum + sum];
    c[s![2..4]] = c[s![0..2]];
    (found, sum + k, next, c, sum)
}
pub fn of_what_is_computed(&self, x: Tensor<i32, 4>, y: Tensor<i32, 8>, k: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32, 4>) {
    let mut t = x + 3;
    let at = t[k] + k;
    let found = y[at];
    t[s![2..4]] = t[s![0..2]] * 5;
    (found, at + k, t)
}
pub fn read_again(&self, x: Tensor<i32, 6>, y: Tensor<i32, 8>, k: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32, 6>) {
    let mut t = x * 2 + 1;
    let at = t[k];
    let found = y[at];
    t[k] = -7;
    let later = y[at + 1] + at * 3;
    t[at] = 11;
    (found + later, at - k, t)
}
pub fn in_a_loop(&self, x: Tensor<i32, 6>, y: Tensor<i32, 8>, k: Tensor<i32>) -> (Tensor<i32>, Tensor<i32, 6>) {
    let (mut t, mut sum) = (x * 2 + 1, 0);
    for i in range(0, k + 2) {
        let at = t[i] + k;
        let found = y[at];
        t[i + 1] = t[i] * 3 - found;
        sum += at + k * found;
    }
    (sum, t)
}
pub fn scattered(&self, x: Tensor<i32, 6>, y: Tensor<i32, 8>, k: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32, 6>) {
    let t = x * 2 + 1;
    let at = t[k] + k;
    let found = y[at] + y[at + 1];
    let added = t.scatter_add(stack([k, k, 5], 0), y[s![0..3]], 0);
    (found, at * 2, added)
}
pub fn in_a_branch(&self, x: Tensor<i32, 6>, y: Tensor<i32, 8>, z: Tensor<i32, 6, 6>, k: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32, 6>) {
    let mut t = x * 2 + 1;
    let at = t[k] + k;
    let found = y[at];
    if found > 1 {
        t[k] = -7;
        t = z.dot(t);
    } else {
        t[s![2..4]] = y[s![0..2]];
        t = t.dot(z);
    }
    (found, at + k, t)
}
pub fn on_both_sides(&self, x: Tensor<i32, 6>, y: Tensor<i32, 8>, z: Tensor<i32, 6, 6>, k: Tensor<i32>) -> (Tensor<i32>, Tensor<i32, 6>) {
    let mut t = x * 2 + 1;
    let at = t[k] + k;
    let found = y[at];
    let mut sum = found;
    if found > 1 {
        t[k] = -7;
        sum = (z.dot(t)).sum() + at * k;
    } else {
        t[k] = 9;
        sum = (t.dot(z)).sum() - at * 2;
    }
    (sum + at, t)
}
