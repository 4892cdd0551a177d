//! Tensor operations of machine learning, after the [specification](https://openxla.org/stablehlo/spec).

pub mod attributes;

include!(concat!(env!("OUT_DIR"), "/stablehlo.rs"));
