// States that are shifted again and again, in loops that are written out.
pub fn newest_first(&self, x: Tensor<f32, 16>, y: Tensor<f32, 24>) -> (Tensor<f32, 16>, Tensor<f32, 24>) {
    let (mut s, mut sums) = (x, y);
    for i in 0..24 {
        s = concatenate([y[s![i..i + 1]], s[s![..-1]]], 0);
        sums[i] = s.sum();
    }
    (s, sums)
}
pub fn newest_last(&self, x: Tensor<i32, 3, 8>, y: Tensor<i32, 30, 8>) -> (Tensor<i32, 3, 8>, Tensor<i32, 30>) {
    let mut s = x;
    let mut sums = zeros::<i32, 30>();
    for i in 0..30 {
        s = concatenate([s[s![1..]], y[s![i..i + 1]]], 0);
        sums[i] = (s * s).sum();
    }
    (s, sums)
}
pub fn written_one_by_one(&self, x: Tensor<f64, 40, 8>, y: Tensor<f64, 40, 8>) -> (Tensor<f64, 40, 8>, Tensor<f64, 40>) {
    let mut s = x;
    let mut sums = zeros::<f64, 40>();
    for i in 0..40 {
        s[i] = y[i] * 2.0;
        sums[i] = s.sum();
    }
    (s, sums)
}
