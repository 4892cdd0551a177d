//! See [`convolution`].

use iree_dsl::prelude::*;

/// Convolutions of signals and pictures, whose features have the second axis.
///
/// | kernel | in PyTorch |
/// |---|---|
/// | `conv1d(layer, x, stride, padding, dilation)` | `nn.Conv1d(i, o, kernel, stride, padding, dilation, groups)` |
/// | `conv2d(layer, x, stride, padding, dilation)` | `nn.Conv2d(i, o, kernel, stride, padding, dilation, groups)` |
///
/// Stride, padding and dilation are numbers that hold along each axis; `1`, `0` and `1` are what PyTorch assumes.
#[kernel]
pub mod convolution {
    /// A convolution of signals.
    #[derive(Clone, Debug)]
    pub struct Conv1d<
        const IN_CHANNELS: usize,
        const OUT_CHANNELS: usize,
        const KERNEL_SIZE: usize,
        const GROUPS: usize = 1,
        T: Float = f32,
    > {
        /// What each feature of the output takes from those of its group, around it.
        pub weight: Tensor<T, OUT_CHANNELS, { IN_CHANNELS / GROUPS }, KERNEL_SIZE>,
        /// What is added to each feature.
        pub bias: Tensor<T, OUT_CHANNELS>,
    }

    /// A convolution of pictures.
    #[derive(Clone, Debug)]
    pub struct Conv2d<
        const IN_CHANNELS: usize,
        const OUT_CHANNELS: usize,
        const KERNEL_SIZE: usize,
        const GROUPS: usize = 1,
        T: Float = f32,
    > {
        /// What each feature of the output takes from those of its group, around it.
        pub weight: Tensor<T, OUT_CHANNELS, { IN_CHANNELS / GROUPS }, KERNEL_SIZE, KERNEL_SIZE>,
        /// What is added to each feature.
        pub bias: Tensor<T, OUT_CHANNELS>,
    }

    pub fn conv1d<
        T: Float,
        const N: usize,
        const L: usize,
        const IN_CHANNELS: usize,
        const OUT_CHANNELS: usize,
        const KERNEL_SIZE: usize,
        const GROUPS: usize,
    >(
        layer: Conv1d<IN_CHANNELS, OUT_CHANNELS, KERNEL_SIZE, GROUPS, T>,
        x: Tensor<T, N, IN_CHANNELS, L>,
        stride: usize,
        padding: usize,
        dilation: usize,
    ) -> Tensor<T, N, OUT_CHANNELS, _> {
        let y = conv!(
            x,
            layer.weight,
            strides = [stride],
            padding = [[padding, padding]],
            dilation = [dilation],
            groups = GROUPS,
            layout = "NCH,OIH->NCH"
        );
        y + layer.bias.insert_axis(-1)
    }

    pub fn conv2d<
        T: Float,
        const N: usize,
        const H: usize,
        const W: usize,
        const IN_CHANNELS: usize,
        const OUT_CHANNELS: usize,
        const KERNEL_SIZE: usize,
        const GROUPS: usize,
    >(
        layer: Conv2d<IN_CHANNELS, OUT_CHANNELS, KERNEL_SIZE, GROUPS, T>,
        x: Tensor<T, N, IN_CHANNELS, H, W>,
        stride: usize,
        padding: usize,
        dilation: usize,
    ) -> Tensor<T, N, OUT_CHANNELS, _, _> {
        let y = conv!(
            x,
            layer.weight,
            strides = [stride, stride],
            padding = [[padding, padding], [padding, padding]],
            dilation = [dilation, dilation],
            groups = GROUPS,
            layout = "NCHW,OIHW->NCHW"
        );
        y + layer.bias.insert_axis(-1).insert_axis(-1)
    }
}
