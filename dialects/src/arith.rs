//! Arithmetic on integers and floating-point numbers, and on vectors and tensors of them.

pub mod attributes;

crate::include_dialect!("arith");
