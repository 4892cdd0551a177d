//! Turns TableGen definitions of MLIR operations (ODS) into typed Rust.
//!
//! Two steps with an owned [`Dialect`] between them: [`read`](Source::read) evaluates TableGen and
//! picks out what a builder needs to know, [`emit`] writes Rust for it. The Rust refers to a small
//! runtime, `iree_dialects::support`, so what is generated stays thin.
//!
//! A build script does both for each dialect of a crate, and the crate includes the results with
//! `iree_dialects::include_dialect!`:
//!
//! ```no_run
//! # fn main() -> Result<(), iree_dialects_generator::Error> {
//! iree_dialects_generator::build()
//!     .dialect("ttx", "td/ttx.td")
//!     .include("td")
//!     .compile()
//! # }
//! ```
//!
//! The steps by themselves:
//!
//! ```no_run
//! # fn main() -> Result<(), iree_dialects_generator::Error> {
//! use iree_dialects_generator::{Source, emit, llvm_include_directory};
//!
//! let dialect = Source::file("mlir/Dialect/Func/IR/FuncOps.td")
//!     .include(llvm_include_directory()?)
//!     .read("func")?;
//! println!("{}", emit(&dialect)?);
//! # Ok(())
//! # }
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod build;
mod emit;
mod error;
mod installation;
mod model;
mod read;

pub use build::{Build, build};
pub use emit::{emit, emit_checks};
pub use error::Error;
pub use installation::llvm_include_directory;
pub use model::{
    Arity, Attribute, AttributeKind, Case, Definition, DefinitionKind, Dialect, Enumeration,
    Number, Operation, Parameter, ParameterKind, Piece, Presence, Region, RustType, Segments,
    Storage, Successor, TypeInference, Value,
};
pub use read::Source;
