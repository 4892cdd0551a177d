// Slopes of what is combined along two axes, and of products of what is the same in all columns.
// N = 5
pub fn slopes_of_outer(&self, x: Tensor<f32, 2, 2>) -> Tensor<f32, 2, 2> {
    grad(|x: Tensor<f32, 2, 2>| {
        let sums = x.sum_axis(1);
        let differences = (sums.insert_axis(1) - sums.insert_axis(0)).sum_axis(0);
        differences.outer(differences).powi(2).mean()
    })(x)
}

pub fn slopes_of_columns<const N: usize>(
    &self,
    bias: Tensor<f32, 2>,
    left: Tensor<f32, 2, 2>,
    right: Tensor<f32, 2, 2>,
    rows: Tensor<f32, N, 2>,
) -> (Tensor<f32, 2, 2>, Tensor<f32, 2, 2>, Tensor<f32, N, 2>) {
    let columns = bias.insert_axis(1).broadcast_to([2, 2]);
    let doubled = columns + columns;
    (doubled.t().dot(left), doubled.dot(right.t()), rows.dot(left))
}
