// Conway's game of life.
pub fn life(&self, g: Tensor<bool, 40, 50>) -> (Tensor<bool, 40, 50>, Tensor<i32>) {
    let mut g = g;
    for _ in 0..10 {
        let x = g as i32;
        let r = x.roll(1, 0) + x + x.roll(-1, 0);
        let n = r.roll(1, 1) + r + r.roll(-1, 1) - x;
        g = (n == 3) | (g & (n == 2));
    }
    (g, (g as i32).sum())
}
