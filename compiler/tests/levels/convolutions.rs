// Convolutions, of which machines with few vector registers take features in pairs.
// N = 3

pub fn even(&self, x: Tensor<f32, 2, 7, 9, 6>, w: Tensor<f32, 3, 3, 6, 5>) -> Tensor<f32, 2, 7, 9, 5> {
    conv!(x, w, padding = "same")
}

pub fn odd(&self, x: Tensor<f32, 2, 8, 9, 7>, w: Tensor<f32, 3, 2, 7, 8>) -> Tensor<f32, 2, 4, 9, 8> {
    conv!(x, w, strides = [2, 1], padding = [[2, 0], [1, 0]])
}

pub fn single(&self, x: Tensor<f32, 2, 12, 12, 1>, w: Tensor<f32, 5, 5, 1, 16>) -> Tensor<f32, 2, 8, 8, 16> {
    conv!(x, w)
}

pub fn few(&self, x: Tensor<f32, 1, 8, 10, 3>, w: Tensor<f32, 3, 3, 3, 8>) -> Tensor<f32, 1, 6, 8, 8> {
    conv!(x, w)
}

pub fn features_first(&self, x: Tensor<f32, 2, 9, 6, 7>, w: Tensor<f32, 4, 9, 3, 3>) -> Tensor<f32, 2, 4, 6, 7> {
    conv!(x, w, padding = "same", layout = "NCHW,OIHW->NCHW")
}

pub fn wide_windows(&self, x: Tensor<f32, 1, 9, 11, 8>, w: Tensor<f32, 3, 3, 8, 4>) -> Tensor<f32, 1, 7, 7, 4> {
    conv!(x, w, dilation = [1, 2])
}

pub fn high_windows(&self, x: Tensor<f32, 1, 9, 11, 8>, w: Tensor<f32, 3, 3, 8, 4>) -> Tensor<f32, 1, 5, 9, 4> {
    conv!(x, w, dilation = [2, 1])
}

pub fn flat_windows(&self, x: Tensor<f32, 1, 9, 11, 8>, w: Tensor<f32, 1, 3, 8, 4>) -> Tensor<f32, 1, 9, 9, 4> {
    conv!(x, w, dilation = [2, 1])
}

pub fn spread_out(&self, x: Tensor<f32, 1, 4, 5, 6>, w: Tensor<f32, 3, 3, 6, 4>) -> Tensor<f32, 1, 7, 9, 4> {
    conv!(x, w, input_dilation = [2, 2], padding = [[1, 1], [1, 1]])
}

pub fn cut(&self, x: Tensor<f32, 1, 8, 9, 5>, w: Tensor<f32, 2, 2, 5, 4>) -> Tensor<f32, 1, 5, 9, 4> {
    conv!(x, w, padding = [[-1, -1], [0, 1]])
}

pub fn grouped(&self, x: Tensor<f32, 1, 6, 6, 12>, w: Tensor<f32, 3, 3, 6, 8>) -> Tensor<f32, 1, 4, 4, 8> {
    conv!(x, w, groups = 2)
}

pub fn of_places(&self, x: Tensor<f32, 1, 6, 6, 12>, w: Tensor<f32, 1, 1, 12, 8>) -> Tensor<f32, 1, 6, 6, 8> {
    conv!(x, w)
}

pub fn many<const N: usize>(&self, x: Tensor<f32, N, 6, 7, 12>, w: Tensor<f32, 3, 3, 12, 8>) -> Tensor<f32, N, 4, 5, 8> {
    conv!(x.tanh(), w).relu()
}

pub fn doubles(&self, x: Tensor<f64, 2, 6, 7, 5>, w: Tensor<f64, 3, 3, 5, 6>) -> Tensor<f64, 2, 4, 5, 6> {
    conv!(x, w)
}

pub fn halves(&self, x: Tensor<f32, 2, 6, 7, 12>, w: Tensor<f32, 3, 3, 12, 6>) -> Tensor<f32, 2, 4, 5, 6> {
    conv!((x * 4.0).round() as f16, (w * 4.0).round() as f16) as f32
}

pub fn integers(&self, x: Tensor<i32, 2, 6, 7, 9>, w: Tensor<i32, 3, 3, 9, 6>) -> Tensor<i32, 2, 4, 5, 6> {
    conv!(x, w)
}

pub fn complex_numbers(&self, x: Tensor<Complex<f32>, 1, 6, 7, 6>, w: Tensor<Complex<f32>, 3, 3, 6, 4>) -> Tensor<Complex<f32>, 1, 4, 5, 4> {
    conv!(x, w)
}

pub fn gradient(
    &self,
    x: Tensor<f32, 2, 10, 14, 6>,
    w: Tensor<f32, 3, 3, 6, 8>,
) -> (Tensor<f32, 2, 10, 14, 6>, Tensor<f32, 3, 3, 6, 8>) {
    grad::<0, 1>(|x: Tensor<f32, 2, 10, 14, 6>, w: Tensor<f32, 3, 3, 6, 8>| {
        let y = max_pool!(conv!(x, w, padding = "same").relu(), window = [2, 2]);
        conv!(y, w.permute([0, 1, 3, 2]), strides = [2, 2]).powi(2).mean()
    })(x, w)
}
