//! Arithmetic with single complex numbers.

crate::include_dialect!("complex");
