// Rotary positions.
// S = 37
pub fn rotary_positions<const S: usize>(
    &self,
    x: Tensor<f32, 2, S, 8, 64>,
) -> Tensor<f32, 2, S, 8, 64> {
    let p = arange::<f32, S>();
    let i = arange::<f32, 32>();
    let fr = (i * (-0.28782313)).exp();
    let a = p.outer(fr);
    let (c, s) = (a.cos().insert_axis(1), a.sin().insert_axis(1));
    let (u, v) = (x[s![.., .., .., ..32]], x[s![.., .., .., 32..]]);
    concatenate([u * c - v * s, u * s + v * c], 3)
}
