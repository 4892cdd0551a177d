//! Complex numbers.

crate::include_dialect!("complex");
