//! Tensors that are made of numbers.

include!(concat!(env!("OUT_DIR"), "/linalg.rs"));
