// A step of expectation and maximization for a mixture of Gaussians.
// N = 300
// positive: var, pi
pub fn mixture_of_gaussians<const N: usize>(
    &self,
    x: Tensor<f32, N, 8>,
    mu: Tensor<f32, 5, 8>,
    var: Tensor<f32, 5, 8>,
    pi: Tensor<f32, 5>,
) -> (
    Tensor<f32, 5, 8>,
    Tensor<f32, 5, 8>,
    Tensor<f32, 5>,
    Tensor<f32>,
) {
    let d = x.insert_axis(1) - mu;
    let ll = ((d * d) / var + var.ln() + 1.8378771).sum_axis(2) * -0.5 + pi.ln();
    let norm = ll.logsumexp_axis(1);
    let r = (ll - norm.insert_axis(1)).exp();
    let nk = r.sum_axis(0);
    let mu2 = r.t().dot(x) / nk.insert_axis(1);
    let d2 = x.insert_axis(1) - mu2;
    let var2 = (r.insert_axis(2) * d2 * d2).sum_axis(0) / nk.insert_axis(1) + 1e-6;
    (mu2, var2, nk / nk.sum(), norm.mean())
}
