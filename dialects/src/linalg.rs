//! Tensors that are made of numbers.

crate::include_dialect!("linalg");
