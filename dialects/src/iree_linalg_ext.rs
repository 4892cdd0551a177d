//! What IREE computes along axes in one pass.

include!(concat!(env!("OUT_DIR"), "/iree_linalg_ext.rs"));
