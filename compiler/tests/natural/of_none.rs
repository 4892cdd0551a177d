// Loops over no slices at all, and their derivatives.
pub fn of_none(
    &self,
    x: Tensor<f32, 0, 3>,
    y: Tensor<f32, 3>,
) -> (Tensor<f32, 0>, Tensor<f32, 3>, Tensor<f32, 0, 3>, Tensor<f32, 3>) {
    let (last, all) = scan(y, x, |carry, row| (carry * row, carry + row));
    let gradient = grad(|y: Tensor<f32, 3>| {
        let (last, _) = scan(y, x, |carry, row| (carry * row, row.sum()));
        (last * last).sum()
    })(y);
    (map(x, |row| row.sum()), last, all, gradient)
}
