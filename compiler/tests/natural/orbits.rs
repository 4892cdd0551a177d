// The Lorenz system by Runge and Kutta, a step of which is a few numbers.
pub fn orbits(&self, start: Tensor<f64, 3>) -> (Tensor<f64, 3>, Tensor<f64, 60, 3>) {
    scan(start, zeros::<f64, 60>(), |y, _| {
        let slope = |s: Tensor<f64, 3>| {
            let (x, y, z) = (s[0], s[1], s[2]);
            stack([(y - x) * 10.0, x * (28.0 - z) - y, x * y - z * 2.5], 0)
        };
        let a = slope(y);
        let b = slope(y + a * 0.005);
        let c = slope(y + b * 0.005);
        let d = slope(y + c * 0.01);
        let y = y + (a + b * 2.0 + c * 2.0 + d) * (0.01 / 6.0);
        (y, y)
    })
}
