// The energy of each sample, kept and added to each channel and frame, of which there is one at least.
// without: wrong
// N = 4
// M = 2
pub fn merged<const N: usize, const M: usize>(
    &self,
    x: Tensor<f32, N, { M + 1 }, 4>,
    z: Tensor<f32, 4, { M + 1 }, N>,
) -> (Tensor<f32, 4, { M + 1 }, N>, Tensor<f32, N>) {
    let energy = einsum!("dbc,dbc->d", x, x);
    (z + energy, energy)
}
