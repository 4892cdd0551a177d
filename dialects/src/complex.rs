//! Arithmetic with single complex numbers.

include!(concat!(env!("OUT_DIR"), "/complex.rs"));
