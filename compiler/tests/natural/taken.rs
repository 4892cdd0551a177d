// Elements that are taken out of vectors, and zeros put in their places.
// N = 7
pub fn taken<const N: usize>(
    &self,
    x: Tensor<i32, N>,
    y: Tensor<f32, N>,
    z: Tensor<Complex<f32>, N>,
    m: Tensor<bool, N>,
) -> (Tensor<i32, N>, Tensor<f32, N>, Tensor<Complex<f32>, N>, Tensor<bool, N>, Tensor<i32>) {
    let (mut x, mut y, mut z, mut m) = (x, y, z, m);
    let (mut a, mut b, mut c, mut d) = (zeros_like(x), zeros_like(y), zeros_like(z), zeros_like(m));
    for i in range(0, N) {
        let (v, w, u, t) = (x[i], y[i], z[i], m[i]);
        x[i] = 0;
        y[i] = 0.0;
        z[i] = complex(0.0, 0.0);
        m[i] = false;
        a[i] = v + a.sum();
        b[i] = w + b.sum();
        c[i] = u + c.sum();
        d[i] = t | d.any();
    }
    (a, b, c, d, x.sum() + m.any() as i32)
}
