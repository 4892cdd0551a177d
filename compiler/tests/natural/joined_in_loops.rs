// What is the same in all iterations, joined with something else or changed, and handed on.
// #[global(init = tensor([1.0, 2.0, 3.0, 4.0]))] c: Tensor<f32, 4>,
// #[global(init = iota() * 3)] d: Tensor<i32, 6>,
// below 3: k
pub fn behind(&self, x: Tensor<f32, 4>, k: Tensor<i32>) -> (Tensor<f32, 8>, Tensor<f32>) {
    let (mut joined, mut sum) = (concatenate([x, x], 0), 0.0);
    for i in range(0, k + 3) {
        joined = concatenate([joined[s![4..]] * 0.5 + (i as f32), tensor([1.0, 2.0, 3.0, 4.0])], 0);
        sum += joined.sum();
    }
    (joined, sum)
}
pub fn before(&self, x: Tensor<f32, 3, 4>, k: Tensor<i32>) -> Tensor<f32, 5, 4> {
    let mut joined = concatenate([zeros::<f32, 2, 4>(), x], 0);
    for i in range(0, k + 3) {
        joined = concatenate([tensor([[1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]]), joined[s![..3]] * 0.5 - (i as f32)], 0);
    }
    joined
}
pub fn in_both(&self, x: Tensor<i32, 4>, y: Tensor<i32, 4>, k: Tensor<i32>) -> (Tensor<i32, 9>, Tensor<i32, 9>) {
    let mut a = concatenate([x, iota::<i32, 5>(0)], 0);
    let mut b = a * 2;
    for i in range(0, k + 2) {
        let next = concatenate([b[s![5..]] + i, tensor([5, 7, 9, 11, 13])], 0);
        b = concatenate([tensor([5, 7, 9, 11, 13]), a[s![..4]] - y], 0);
        a = next;
    }
    (a, b)
}
pub fn changed(&self, x: Tensor<f32, 6>, k: Tensor<i32>) -> (Tensor<f32, 6>, Tensor<f32>) {
    let (mut last, mut sum) = (x, 0.0);
    for i in range(0, k + 3) {
        let mut weights = iota::<f32, 6>(0) * 0.5 + 1.0;
        weights[i] = last[i + 1];
        sum += weights.sum();
        last = weights;
    }
    (last, sum)
}
pub fn changed_twice(&self, x: Tensor<f64, 6>, k: Tensor<i32>) -> (Tensor<f64, 6>, Tensor<f64>) {
    let (mut last, mut sum) = (x, x.sum());
    for i in range(0, k + 3) {
        for j in range(0, i + 2) {
            let mut weights: Tensor<f64, 6> = tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
            weights[j] = last[i];
            weights[s![4..]] = last[s![1..3]];
            sum += weights.dot(last);
            last = weights;
        }
    }
    (last, sum)
}
pub fn in_a_branch(&self, x: Tensor<f32, 4>, k: Tensor<i32>) -> Tensor<f32, 8> {
    let mut joined = concatenate([x, x], 0);
    for i in range(0, k + 4) {
        if i % 2 == 0 {
            joined = concatenate([joined[s![4..]].cumsum(0), tensor([1.0, 2.0, 3.0, 4.0])], 0);
        } else {
            joined = concatenate([tensor([1.0, 2.0, 3.0, 4.0]), joined[s![..4]].sort(0)], 0);
        }
    }
    joined
}
pub fn handed_round(&self, x: Tensor<f32, 5>, k: Tensor<i32>) -> (Tensor<f32, 5>, Tensor<f32, 10>) {
    let table: Tensor<f32, 5> = tensor([0.5, 1.5, 2.5, 3.5, 4.5]);
    let mut joined = concatenate([x, x], 0);
    for i in range(0, k + 3) {
        joined = concatenate([table, joined[s![..5]] + (i as f32)], 0);
        let mut next = table;
        next[i] = joined[i + 5];
        joined += concatenate([next, table], 0);
    }
    (table, joined)
}
pub fn a_round_ago(&self, x: Tensor<f32, 4>, k: Tensor<i32>) -> (Tensor<f32, 8>, Tensor<f32, 8>) {
    let mut last = concatenate([x, x], 0);
    let mut before = last * 2.0;
    for i in range(0, k + 3) {
        before = last;
        last = concatenate([tensor([1.0, 2.0, 3.0, 4.0]), x * (i as f32)], 0);
    }
    (last, before)
}
pub fn both_used(&self, x: Tensor<f32, 4>, k: Tensor<i32>) -> (Tensor<f32, 8>, Tensor<f32>) {
    let mut last = concatenate([x, x], 0);
    let mut sum = 0.0;
    for i in range(0, k + 3) {
        let next = concatenate([iota::<f32, 4>(0) * 2.0, x * (i as f32)], 0);
        sum += (last * next).sum();
        last = next;
    }
    (last, sum)
}
pub fn zeros_before(&self, x: Tensor<f64, 2, 4>, k: Tensor<i32>) -> (Tensor<f64, 2, 8>, Tensor<f64, 2, 8>) {
    let mut last = concatenate([x, x], 1);
    let mut before = last * 2.0;
    for i in range(0, k + 3) {
        before = last;
        last = concatenate([zeros::<f64, 2, 4>(), x * (i as f64)], 1);
    }
    (last, before)
}
pub fn fives_before(&self, x: Tensor<i32, 4>, k: Tensor<i32>) -> (Tensor<i32, 10>, Tensor<i32, 10>) {
    let mut last = concatenate([x, full::<i32, 6>(5)], 0);
    let mut before = last * 2;
    for i in range(0, k + 3) {
        before = last;
        last = concatenate([full::<i32, 4>(5), tensor([7, 8]), x * i], 0);
    }
    (last, before)
}
pub fn padded(&self, x: Tensor<f32, 4>, k: Tensor<i32>) -> (Tensor<f32, 8>, Tensor<f32, 8>) {
    let mut last = concatenate([x, x], 0);
    let mut before = last * 2.0;
    for i in range(0, k + 3) {
        before = last;
        last = pad!(x * (i as f32), low = [2], high = [2], value = 3.0);
    }
    (last, before)
}
pub fn padded_with_zeros(&self, x: Tensor<f64, 4>, k: Tensor<i32>) -> (Tensor<f64, 9>, Tensor<f64>) {
    let mut last = pad!(x, low = [5]);
    let mut sum = 0.0;
    for i in range(0, k + 3) {
        let next = pad!(last[s![..8]], low = [1]) + (i as f64);
        sum += (last * next).sum();
        last = next;
    }
    (last, sum)
}
fn behind_fives(&self, x: Tensor<i32, 4>) -> Tensor<i32, 6> {
    concatenate([tensor([5, 6]), x], 0)
}
pub fn by_a_function(&self, x: Tensor<i32, 4>, k: Tensor<i32>) -> (Tensor<i32, 6>, Tensor<i32, 6>) {
    let mut last = self.behind_fives(x);
    let mut before = last * 2;
    for i in range(0, k + 3) {
        before = last;
        last = self.behind_fives(x * i);
    }
    (last, before)
}
pub fn of_a_global(&self, x: Tensor<f32, 4>, k: Tensor<i32>) -> (Tensor<f32, 8>, Tensor<f32, 8>) {
    let mut last = concatenate([x, x], 0);
    let mut before = last * 2.0;
    for i in range(0, k + 3) {
        before = last;
        last = concatenate([self.c, x * (i as f32)], 0);
    }
    (last, before)
}
pub fn computed_of_a_global(&self, x: Tensor<i32, 6>, k: Tensor<i32>) -> (Tensor<i32, 12>, Tensor<i32, 12>) {
    let mut last = concatenate([x, x], 0);
    let mut sum = last;
    for i in range(0, k + 3) {
        let next = concatenate([self.d.reverse(0) + 1, last[s![3..9]] + i], 0);
        sum += last * next;
        last = next;
    }
    (last, sum)
}
pub fn global_changed(&self, x: Tensor<i32, 6>, k: Tensor<i32>) -> (Tensor<i32, 6>, Tensor<i32, 6>, Tensor<i32, 6>) {
    let (mut last, mut before, mut sum) = (x, x * 2, x);
    for i in range(0, k + 3) {
        let mut weights = self.d * 2 + 1;
        weights[i] = last[i + 1];
        sum += weights;
        before = last;
        last = weights;
    }
    (last, before, sum)
}
pub fn global_handed_round(&self, x: Tensor<i32, 6>, k: Tensor<i32>) -> (Tensor<i32, 6>, Tensor<i32, 6>) {
    let (mut last, mut table) = (x, self.d);
    for i in range(0, k + 3) {
        let next = table;
        table[i] = last[i + 1] + 1;
        last = next;
    }
    (last, table)
}
