// How often points are squared before they leave a circle, one after the other.
pub fn escape_times(&self, points: Tensor<f32, 37, 2>) -> (Tensor<i32, 37>, Tensor<bool, 37>) {
    let times = map(points, |c| {
        let mut z: Tensor<f32, 2> = zeros();
        let mut n = 0;
        while n < 40 && (z * z).sum() < 4.0 {
            z = stack([z[0] * z[0] - z[1] * z[1], z[0] * z[1] * 2.0], 0) + c;
            n += 1;
        }
        n
    });
    (times, times == 40)
}
