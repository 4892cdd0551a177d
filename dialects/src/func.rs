//! Functions, their calls and returns.

include!(concat!(env!("OUT_DIR"), "/func.rs"));
