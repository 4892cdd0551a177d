// What of vectors lies along directions, which differ from place to place and are the same in all samples, and a slope of such.
// N = 5
pub fn projections_along(
    &self,
    fields: Tensor<f32, 4, 8, 8>,
    directions: Tensor<f32, 8, 8>,
    weights: Tensor<f32, 4, 8, 8>,
) -> (Tensor<f32, 4, 8, 8>, Tensor<f32, 4, 8, 8>) {
    let along = (fields * directions).sum_axis(2).insert_axis(2) * weights;
    let slope = grad(|fields: Tensor<f32, 4, 8, 8>| {
        let scaled = fields.mean_axis(0).insert_axis(0) * fields.max_axis(2).insert_axis(2);
        (scaled * scaled).mean()
    })(fields);
    (along, slope)
}

pub fn products_along<const N: usize>(
    &self,
    fields: Tensor<f32, 4, 8, 8>,
    directions: Tensor<f32, 8, 8>,
    weights: Tensor<f32, 4, 8, 8>,
    samples: Tensor<f32, N, 8>,
) -> (Tensor<f32, 4, 8, 8>, Tensor<f32, N, 8>) {
    let along = einsum!("ijk,jk->ij", fields, directions).insert_axis(2) * weights;
    (along, samples.dot(directions))
}
