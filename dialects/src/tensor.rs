//! Tensors as values: shapes, slices, elements.

crate::include_dialect!("tensor");
