// The energy of each sample, kept and added to each channel and frame.
// without: wrong
// N = 4
// M = 3
pub fn merged<const N: usize, const M: usize>(
    &self,
    x: Tensor<f32, N, M, 4>,
    z: Tensor<f32, 4, M, N>,
) -> (Tensor<f32, 4, M, N>, Tensor<f32, N>) {
    let energy = einsum!("dbc,dbc->d", x, x);
    (z + energy, energy)
}
