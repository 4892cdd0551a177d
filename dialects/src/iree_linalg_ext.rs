//! What IREE computes along axes in one pass.

crate::include_dialect!("iree_linalg_ext");
