// The worth of portfolios day by day, and the largest loss of each from its best day on.
// T = 50
// A = 9
// P = 6
pub fn worth<const T: usize, const A: usize, const P: usize>(
    &self,
    returns: Tensor<f32, T, A>,
    shares: Tensor<f32, A, P>,
) -> (Tensor<f32, T, P>, Tensor<f32, P>) {
    let growth = (1.0 + 0.05 * returns).cumprod(0);
    let shares = shares.softmax(0);
    let worth = growth.dot(shares);
    let best = worth.cummax(0);
    (worth, ((best - worth) / best).max_axis(0))
}
