//! Tensors as values: shapes, slices, elements.

include!(concat!(env!("OUT_DIR"), "/tensor.rs"));
