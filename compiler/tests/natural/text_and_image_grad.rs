// The loss of pairs of images and texts that belong together, and its derivatives.
// B = 9
pub fn text_and_image_grad<const B: usize>(
    &self,
    image: Tensor<f32, B, 64>,
    text: Tensor<f32, B, 48>,
    wi: Tensor<f32, 64, 32>,
    wt: Tensor<f32, 48, 32>,
    t: Tensor<f32>,
) -> (Tensor<f32>, Tensor<f32, 64, 32>, Tensor<f32, 48, 32>, Tensor<f32>) {
    let loss = |wi: Tensor<f32, 64, 32>, wt: Tensor<f32, 48, 32>, t: Tensor<f32>| {
        let (i, w) = (image.dot(wi), text.dot(wt));
        let i = i / i.powi(2).sum_axis(1).sqrt().insert_axis(1);
        let w = w / w.powi(2).sum_axis(1).sqrt().insert_axis(1);
        let scores = i.dot(w.t()) * t.exp();
        let right = scores.diagonal();
        (scores.logsumexp_axis(1) - right).mean() * 0.5 + (scores.logsumexp_axis(0) - right).mean() * 0.5
    };
    let (l, (a, b, c)) = value_and_grad::<0, 1, 2>(loss)(wi, wt, t);
    (l, a, b, c)
}
