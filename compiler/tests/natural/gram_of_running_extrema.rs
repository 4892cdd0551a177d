// Products of running extrema with themselves: integers without a sign are cumulated as ones with a sign.
// N = 9, 1, 70
pub fn smallest<const N: usize>(&self, x: Tensor<u32, N, N>) -> Tensor<u32, N, N> {
    let v = x.cummin(0);
    v.matmul(v.t())
}
pub fn largest<const N: usize>(&self, x: Tensor<u32, N, N>) -> Tensor<u32, N, N> {
    let v = x.cummax(1);
    v.t().matmul(v)
}
pub fn wide<const N: usize>(&self, x: Tensor<u32, N, N>) -> (Tensor<u32, N>, Tensor<u32, N, N>) {
    let v = x.cummin(1);
    (v.matmul(v.t()).sum_axis(1), v)
}
pub fn signed<const N: usize>(&self, x: Tensor<i32, N, N>) -> Tensor<i32, N, N> {
    let v = x.cummin(0);
    v.matmul(v.t())
}
pub fn known(&self, x: Tensor<u32, 40, 33>) -> Tensor<u32, 40, 40> {
    let v = x.cummax(0);
    v.matmul(v.t())
}
