//! Arithmetic on integers and floating-point numbers, and on vectors and tensors of them.

pub mod attributes;

include!(concat!(env!("OUT_DIR"), "/arith.rs"));
