//! Tensors between the parts of a program that IREE compiles on their own.

include!(concat!(env!("OUT_DIR"), "/flow.rs"));
