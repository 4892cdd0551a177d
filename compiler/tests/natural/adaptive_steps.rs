// Steps that are taken again with half of their length where they were too long.
pub fn adaptive_steps(&self, start: Tensor<f64, 4>) -> (Tensor<f64, 4>, Tensor<f64>, Tensor<i32>) {
    let mut y = start;
    let mut at: Tensor<f64> = 0.0;
    let mut length: Tensor<f64> = 0.5;
    let mut tries = 0;
    while at < 3.0 && tries < 200 {
        let near = y.sin() - y;
        let ahead = y + near * length;
        let far = ahead.sin() - ahead;
        if ((far - near) * length).abs().max() < 0.01 {
            let mut next = y + (near + far) * (length * 0.5);
            for i in range(0, 3) {
                next = next * 0.999 + (i as f64) * 0.001;
            }
            y = next;
            at += length;
            length = (length * 1.5).minimum(0.5);
        } else {
            length = length * 0.5;
        }
        tries += 1;
    }
    (y, at, tries)
}
