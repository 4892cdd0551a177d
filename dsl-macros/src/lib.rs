//! The attribute macros of iree-dsl.
