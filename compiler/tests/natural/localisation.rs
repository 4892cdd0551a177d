// An extended Kalman filter whose derivatives are computed.
// T = 7
pub fn localisation<const T: usize>(
    &self,
    z: Tensor<f64, T, 2>,
    q: Tensor<f64, 4, 4>,
    r: Tensor<f64, 2, 2>,
) -> Tensor<f64, T, 4> {
    let motion = |s: Tensor<f64, 4>| {
        let (x, y, v, a) = (s[0], s[1], s[2], s[3]);
        stack([x + v * a.cos() * 0.1, y + v * a.sin() * 0.1, v, a], 0)
    };
    let seen = |s: Tensor<f64, 4>| {
        let (x, y) = (s[0], s[1]);
        stack([(x * x + y * y + 1e-6).sqrt(), y.atan2(x)], 0)
    };
    let start: (Tensor<f64, 4>, Tensor<f64, 4, 4>) = (ones(), eye());
    let (_, path) = scan(start, z, |(s, p), z| {
        let f = jacfwd(motion)(s);
        let s = motion(s);
        let p = f.dot(p).dot(f.t()) + q;
        let h = jacfwd(seen)(s);
        let k = (h.dot(p).dot(h.t()) + r).solve(h.dot(p)).t();
        let s = s + k.dot(z - seen(s));
        ((s, p - k.dot(h).dot(p)), s)
    });
    path
}
