// The adjoint of a stream function: its velocities against those of a field on a torus.
// H = 5
// W = 7
pub fn circulation<const H: usize, const W: usize>(&self, p: Tensor<f32, H, W>, u: Tensor<f32, H, W>, v: Tensor<f32, H, W>) -> Tensor<f32, H, W> {
    let energy = |p: Tensor<f32, H, W>| {
        let a = u - (p.roll(-1, 1) - p.roll(1, 1));
        let b = v - (p.roll(-1, 0) - p.roll(1, 0));
        (a * b).sum()
    };
    grad(energy)(p)
}
