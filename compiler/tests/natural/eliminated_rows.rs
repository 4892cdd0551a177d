// Elimination without pivots, of rows that are parts of a matrix, in two loops.
pub fn eliminated_rows(&self, a: Tensor<f64, 17, 17>) -> Tensor<f64, 17, 17> {
    let mut m = a + eye::<f64, 17, 17>() * 30.0;
    for k in range(0, 16) {
        for i in range(k + 1, 17) {
            let factor = m[i][k] / m[k][k];
            m[i] = m[i] - m[k] * select(iota::<i32, 17>(0) > k, factor, 0.0);
            m[(i, k)] = factor;
        }
    }
    m
}
