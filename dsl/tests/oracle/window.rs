//! Convolutions and pools against JAX.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix3, Ix4, Ix5};

#[program]
mod window {
    type X1 = Tensor<f32, 2, 9, 3>;
    type W1 = Tensor<f32, 4, 3, 5>;
    type X2 = Tensor<f32, 2, 8, 7, 4>;
    type W2 = Tensor<f32, 3, 2, 4, 6>;
    type X3 = Tensor<f32, 1, 4, 5, 3, 2>;
    type W3 = Tensor<f32, 2, 3, 2, 2, 3>;

    pub struct Window;

    impl Window {
        pub fn conv_1d(&self, x: X1, w: W1) -> Tensor<f32, 2, 6, 5> {
            conv!(x, w)
        }

        pub fn conv_2d_same(&self, x: X2, w: W2) -> Tensor<f32, 2, 8, 7, 6> {
            conv!(x, w, padding = "same")
        }

        pub fn conv_batch<const B: usize>(
            &self,
            x: Tensor<f32, B, 8, 7, 4>,
            w: W2,
        ) -> Tensor<f32, B, 8, 7, 6> {
            conv!(x, w, padding = "same")
        }

        pub fn max_pool_any<const B: usize, const H: usize>(
            &self,
            x: Tensor<f32, B, H, 7, 4>,
        ) -> Tensor<f32, B, { H / 2 }, 3, 4> {
            max_pool!(x, window = [2, 2])
        }

        pub fn avg_pool_batch<const B: usize>(
            &self,
            x: Tensor<f32, B, 8, 7, 4>,
        ) -> Tensor<f32, B, 8, 4, 4> {
            avg_pool!(
                x,
                window = 3,
                strides = [1, 2],
                padding = "same",
                count_padding = false
            )
        }

        pub fn conv_2d_strides(&self, x: X2, w: W2) -> Tensor<f32, 2, 4, 3, 6> {
            conv!(x, w, strides = [2, 3], padding = "same")
        }

        pub fn conv_2d_explicit(&self, x: X2, w: W2) -> Tensor<f32, 2, 7, 9, 6> {
            conv!(x, w, padding = [[1, 2], [0, 3]], dilation = [2, 1])
        }

        pub fn conv_2d_spread(&self, x: X2, w: W2) -> Tensor<f32, 2, 14, 10, 6> {
            conv!(
                x,
                w,
                strides = [1, 2],
                padding = [[2, -1], [1, 1]],
                input_dilation = [2, 3]
            )
        }

        pub fn conv_2d_groups(&self, x: X2, w: Tensor<f32, 3, 3, 2, 6>) -> Tensor<f32, 2, 8, 7, 6> {
            conv!(x, w, padding = "same", groups = 2)
        }

        pub fn conv_2d_depthwise(
            &self,
            x: X2,
            w: Tensor<f32, 2, 2, 1, 8>,
        ) -> Tensor<f32, 2, 7, 6, 8> {
            conv!(x, w, padding = "valid", groups = x.dim(3))
        }

        pub fn conv_3d(&self, x: X3, w: W3) -> Tensor<f32, 1, 4, 3, 3, 3> {
            conv!(x, w, strides = [1, 2, 1], padding = "same")
        }

        pub fn conv_layout(
            &self,
            x: Tensor<f32, 2, 4, 8, 7>,
            w: Tensor<f32, 6, 4, 3, 2>,
        ) -> Tensor<f32, 6, 2, 8, 7> {
            conv!(x, w, padding = "same", layout = "NCHW,OIHW->CNHW")
        }

        pub fn conv_transpose_same(&self, x: X2, w: W2) -> Tensor<f32, 2, 16, 21, 6> {
            conv_transpose!(x, w, strides = [2, 3], padding = "same")
        }

        pub fn conv_transpose_valid(&self, x: X2, w: W2) -> Tensor<f32, 2, 17, 21, 6> {
            conv_transpose!(x, w, strides = [2, 3], padding = "valid")
        }

        pub fn conv_transpose_explicit(&self, x: X2, w: W2) -> Tensor<f32, 2, 15, 13, 6> {
            conv_transpose!(
                x,
                w,
                strides = 2,
                padding = [[1, 1], [0, 2]],
                dilation = [1, 2]
            )
        }

        pub fn conv_transpose_1d(&self, x: X1, w: W1) -> Tensor<f32, 2, 27, 5> {
            conv_transpose!(x, w, strides = [3], padding = "same")
        }

        pub fn max_pool(&self, x: X2) -> Tensor<f32, 2, 4, 3, 4> {
            max_pool!(x, window = [2, 2])
        }

        pub fn max_pool_same(&self, x: X2) -> Tensor<f32, 2, 4, 7, 4> {
            max_pool!(x, window = [3, 2], strides = [2, 1], padding = "same")
        }

        pub fn max_pool_3d(&self, x: X3) -> Tensor<f32, 1, 3, 4, 2, 2> {
            max_pool!(x, window = 2, strides = 1, layout = "NDHWC")
        }

        pub fn avg_pool(&self, x: X2) -> Tensor<f32, 2, 4, 2, 4> {
            avg_pool!(x, window = [2, 3])
        }

        pub fn avg_pool_same(&self, x: X2) -> Tensor<f32, 2, 8, 4, 4> {
            avg_pool!(x, window = [3, 3], strides = [1, 2], padding = "same")
        }

        pub fn avg_pool_without_padding(&self, x: X2) -> Tensor<f32, 2, 8, 4, 4> {
            avg_pool!(
                x,
                window = 3,
                strides = [1, 2],
                padding = "same",
                count_padding = false
            )
        }

        pub fn windows_sum(&self, x: X2) -> Tensor<f32, 2, 4, 8, 2> {
            reduce_window!(
                x,
                0.0,
                |a, b| a + b,
                window = [1, 3, 2, 2],
                strides = [1, 2, 1, 2],
                padding = [[0, 0], [1, 1], [0, 2], [0, 0]]
            )
        }

        pub fn windows_least(&self, x: X1) -> Tensor<f32, 2, 7, 3> {
            reduce_window!(
                x,
                f32::INFINITY,
                |a, b| a.minimum(b),
                window = [1, 2, 1],
                strides = [1, 2, 1],
                dilation = [1, 3, 1],
                input_dilation = [1, 2, 1]
            )
        }
    }
}

#[test]
fn windows_are_those_of_jax() {
    let program = window::Window::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("window", "f32");
    let (x1, w1) = (check.input::<f32, Ix3>("x1"), check.input::<f32, Ix3>("w1"));
    let (x2, w2) = (check.input::<f32, Ix4>("x2"), check.input::<f32, Ix4>("w2"));
    let (x3, w3) = (check.input::<f32, Ix5>("x3"), check.input::<f32, Ix5>("w3"));
    let (planes, filters) = (
        check.input::<f32, Ix4>("planes"),
        check.input::<f32, Ix4>("filters"),
    );
    let grouped = check.input::<f32, Ix4>("grouped");
    let depthwise = check.input::<f32, Ix4>("depthwise");
    check.result("conv_1d", program.conv_1d(&x1, &w1));
    check.result("conv_2d_same", program.conv_2d_same(&x2, &w2));
    check.result("conv_2d_same", program.conv_batch(&x2, &w2));
    check.result("max_pool", program.max_pool_any(&x2));
    check.result("avg_pool_without_padding", program.avg_pool_batch(&x2));
    check.result("conv_2d_strides", program.conv_2d_strides(&x2, &w2));
    check.result("conv_2d_explicit", program.conv_2d_explicit(&x2, &w2));
    check.result("conv_2d_spread", program.conv_2d_spread(&x2, &w2));
    check.result("conv_2d_groups", program.conv_2d_groups(&x2, &grouped));
    check.result(
        "conv_2d_depthwise",
        program.conv_2d_depthwise(&x2, &depthwise),
    );
    check.result("conv_3d", program.conv_3d(&x3, &w3));
    check.result("conv_layout", program.conv_layout(&planes, &filters));
    check.result("conv_transpose_same", program.conv_transpose_same(&x2, &w2));
    check.result(
        "conv_transpose_valid",
        program.conv_transpose_valid(&x2, &w2),
    );
    check.result(
        "conv_transpose_explicit",
        program.conv_transpose_explicit(&x2, &w2),
    );
    check.result("conv_transpose_1d", program.conv_transpose_1d(&x1, &w1));
    check.result("max_pool", program.max_pool(&x2));
    check.result("max_pool_same", program.max_pool_same(&x2));
    check.result("max_pool_3d", program.max_pool_3d(&x3));
    check.result("avg_pool", program.avg_pool(&x2));
    check.result("avg_pool_same", program.avg_pool_same(&x2));
    check.result(
        "avg_pool_without_padding",
        program.avg_pool_without_padding(&x2),
    );
    check.result("windows_sum", program.windows_sum(&x2));
    check.result("windows_least", program.windows_least(&x1));
    check.finish();
}
