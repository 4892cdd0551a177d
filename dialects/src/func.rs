//! Functions, their calls and returns.

crate::include_dialect!("func");
