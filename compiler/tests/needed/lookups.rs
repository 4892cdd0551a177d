// The gate of a recurrent cell, of inputs that are projected for all gates at once.
// without: refused
// N = 5
pub fn lookups<const N: usize>(
    &self,
    gates: Tensor<f32, N, 128>,
    hidden: Tensor<f32, N, 20>,
    w: Tensor<f32, 20, 64>,
) -> Tensor<f32, N, 64> {
    (gates[s![.., 64..]] + hidden.dot(w)).sigmoid()
}
