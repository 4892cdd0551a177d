//! Arithmetic on integers and floating-point numbers, and on vectors and tensors of them.

crate::include_dialect!("arith");
