//! Tensor operations of machine learning, after the [specification](https://openxla.org/stablehlo/spec).

pub mod attributes;

crate::include_dialect!("stablehlo");
