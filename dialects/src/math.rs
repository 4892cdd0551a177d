//! Functions of integers and floating-point numbers, and of vectors and tensors of them.

include!(concat!(env!("OUT_DIR"), "/math.rs"));
