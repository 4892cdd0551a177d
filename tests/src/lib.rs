//! Tests that span the crates of iree-dsl.
