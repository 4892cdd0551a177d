// The energy of each sample of a batch, added to each channel and frame that has the samples last.
// N = 4
// M = 3
pub fn energy_of_frames<const N: usize, const M: usize>(
    &self,
    x: Tensor<f32, N, M, 4>,
    z: Tensor<f32, 4, M, N>,
    q: Tensor<f32, 3, 4, M, N>,
) -> (Tensor<f32, 4, M, N>, Tensor<f32, N>, Tensor<f32, 12, M, N>, Tensor<f32, 3, 4, M, N>, Tensor<f32, N>) {
    let energy = einsum!("dbc,dbc->d", x, x);
    let soft = q.exp();
    let work = einsum!("abcd,dcb->d", soft, x);
    (z + energy, energy, soft.reshape([-1, M, N]) + work, soft + work, work)
}
