//! The stages that turn a program of the language into MLIR, artifacts and host code.
//!
//! ```text
//! tokens ─parse→ ast ─link→ ast ─trace→ ir ─verify→ Verified ─legalize→ Legalized ─lower→ MLIR ─artifact→ VMFB ─expand→ tokens
//! ```
//!
//! Each stage is a module with one entry function that takes what the stage before it made and returns its
//! own; `verify` is a function of [`iree_dsl_ir`]. That crate, [`ast`], [`interface`], [`machine`], [`diagnostic`] and
//! [`span`] are the vocabulary that the stages share.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable,
        clippy::todo
    )
)]

pub mod artifact;
pub mod ast;
pub mod diagnostic;
pub mod expand;
pub mod interface;
#[cfg(feature = "compile")]
pub mod legalize;
pub mod link;
#[cfg(feature = "compile")]
pub mod lower;
pub mod machine;
pub mod parse;
pub mod pipeline;
pub mod span;
pub mod trace;
