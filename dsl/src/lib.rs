//! An embedded language in Rust for numerical programs that run on IREE.
