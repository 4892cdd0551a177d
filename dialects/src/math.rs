//! Functions of integers and floating-point numbers, and of vectors and tensors of them.

crate::include_dialect!("math");
