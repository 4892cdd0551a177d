//! Tensors between the parts of a program that IREE compiles on their own.

crate::include_dialect!("flow");
