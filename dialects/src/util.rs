//! IREE's globals, initialisers and functions.

include!(concat!(env!("OUT_DIR"), "/util.rs"));
