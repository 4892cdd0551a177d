//! IREE's globals, initialisers and functions.

crate::include_dialect!("util");
