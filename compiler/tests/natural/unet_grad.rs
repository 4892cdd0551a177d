// The derivatives of a net that goes down and up again, with a connection between.
pub fn unet_grad(
    &self,
    x: Tensor<f32, 2, 32, 32, 4>,
    y: Tensor<f32, 2, 32, 32, 4>,
    down: Tensor<f32, 3, 3, 4, 16>,
    low: Tensor<f32, 3, 3, 16, 16>,
    up: Tensor<f32, 3, 3, 32, 4>,
) -> (Tensor<f32, 3, 3, 4, 16>, Tensor<f32, 3, 3, 16, 16>, Tensor<f32, 3, 3, 32, 4>) {
    let loss = |down: Tensor<f32, 3, 3, 4, 16>, low: Tensor<f32, 3, 3, 16, 16>, up: Tensor<f32, 3, 3, 32, 4>| {
        let h = conv!(x, down / 6.0, padding = "same").relu();
        let l = conv!(max_pool!(h, window = [2, 2]), low / 12.0, padding = "same").relu();
        let wide = l.repeat(2, 1).repeat(2, 2);
        let z = conv!(concatenate([h, wide], 3), up / 17.0, padding = "same");
        ((z - y) * (z - y)).mean()
    };
    grad::<0, 1, 2>(loss)(down, low, up)
}
