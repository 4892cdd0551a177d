//! Tensor operations of machine learning, after the [specification](https://openxla.org/stablehlo/spec).

mod convolution;

pub use convolution::{ActivationDimensions, ConvolutionDimensions, KernelDimensions};

crate::include_dialect!("stablehlo");
