//! Computations on whole tensors and buffers, as loops over their elements.

crate::include_dialect!("linalg");
