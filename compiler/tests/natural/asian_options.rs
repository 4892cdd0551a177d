// Prices of Asian options, by Monte Carlo.
// positive: s0, k
pub fn asian_options(
    &self,
    key: Tensor<u32, 2>,
    s0: Tensor<f64>,
    k: Tensor<f64, 4>,
) -> (Tensor<f64, 4>, Tensor<f64, 4>) {
    let z = random::normal::<f64, 2000, 12>(key);
    let p = s0 * (z * 0.0577 - 0.00125).cumsum(1).exp();
    let a = p.mean_axis(1);
    let pay = (a.insert_axis(1) - k).relu();
    (pay.mean_axis(0), pay.std_axis(0))
}
