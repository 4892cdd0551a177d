// Products that are kept, and added to what has an axis more, of which a sum, a mean or an extremum is taken.
// N = 7, 1, 0
pub fn whole(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 7, 7>) -> (Tensor<f32>, Tensor<f32, 7, 7>) {
    let p = x.dot(x);
    ((p + y).sum(), p)
}
pub fn along_two(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 7, 7>) -> (Tensor<f32, 7>, Tensor<f32, 7, 7>) {
    let p = x.dot(x);
    ((p + y.abs()).sum_axis([0, 2]), p)
}
pub fn in_the_middle(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 7, 7>) -> (Tensor<f32, 7>, Tensor<f32, 7, 7>) {
    let p = x.dot(x);
    ((p.insert_axis(1) + y).mean_axis([1, 2]), p)
}
pub fn largest(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 7, 7>) -> (Tensor<f32>, Tensor<f32, 7, 7>) {
    let p = x.dot(x);
    ((p + y).max(), p.cos())
}
pub fn changed(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 7, 7>) -> (Tensor<f32>, Tensor<f32, 7, 7>) {
    let h = x.dot(x).tanh();
    ((h + y).var(), h)
}
pub fn sum_is_kept(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 7, 7>) -> (Tensor<f32>, Tensor<f32, 7, 7, 7>) {
    let t = x.dot(x) + y;
    (t.sum(), t)
}
pub fn two_sums(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 7, 7>) -> (Tensor<f32>, Tensor<f32>) {
    let t = x.dot(x) + y;
    (t.sum(), (t * t).sum())
}
pub fn multiplied_again(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 7, 7>) -> (Tensor<f32, 7, 7>, Tensor<f32, 7, 7>) {
    let p = x.dot(x);
    let c = einsum!("abc,dbe->bc", y.minimum(x), p + y.abs());
    (c.t(), c.matmul(p))
}
pub fn wide(&self, x: Tensor<f32, 16, 20>, w: Tensor<f32, 20, 40>, z: Tensor<f32, 5, 16, 40>) -> (Tensor<f32>, Tensor<f32, 16, 40>) {
    let p = x.dot(w);
    ((p + z).mean(), p)
}
pub fn doubles(&self, a: Tensor<f64, 16, 20>, b: Tensor<f64, 20, 40>, c: Tensor<f64, 5, 16, 40>) -> (Tensor<f64>, Tensor<f64, 16, 40>) {
    let p = a.dot(b);
    ((p + c).mean(), p)
}
pub fn integers(&self, i: Tensor<i32, 6, 9>, j: Tensor<i32, 9, 12>, k: Tensor<i32, 5, 6, 12>) -> (Tensor<i32>, Tensor<i32, 6, 12>) {
    let p = i.dot(j);
    ((p + k).sum(), p)
}
pub fn of_any_size<const N: usize>(&self, u: Tensor<f32, N, 20>, w: Tensor<f32, 20, 40>, v: Tensor<f32, 5, N, 40>) -> (Tensor<f32>, Tensor<f32, N, 40>) {
    let p = u.dot(w);
    ((p + v).sum(), p)
}
pub fn batches(&self, y: Tensor<f32, 7, 7, 7>, q: Tensor<f32, 3, 7, 7, 7>) -> (Tensor<f32, 7>, Tensor<f32, 7, 7, 7>) {
    let p = y.matmul(y);
    ((p + q).sum_axis([0, 1, 3]), p)
}
pub fn normalised(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 7, 7>) -> Tensor<f32, 7, 7, 7> {
    let p = x.dot(x);
    (p.dot(x) + (p + y)).softmax(0)
}
pub fn log_normalised(&self, x: Tensor<f32, 2, 2>, y: Tensor<f32, 2, 2, 2>) -> Tensor<f32, 2, 2, 2> {
    let p = x.matmul(x);
    (p.dot(x) + (p + y)).log_softmax(0)
}
