//! What a build leaves in `target/iree/<package>`, and the compiler that it needs.
//!
//! ```text
//! <program>.json            a [`Description`]
//! <program>.mlir            the module that the IREE compiler reads
//! <program>.located.mlir    the same, with the place in the source of each operation; also
//!                           <program>.<machines>.located.mlir, where some targets have another module
//! <program>.legalized.ir    the program after the stage `legalize`, with the place in the source of each operation
//! <program>.<target>.vmfb   what it made of it
//! <program>.<target>.failed.mlir  what it could not compile, if it could not
//! <program>.<target>.failed.sh    the command that shows that again
//! ```

mod description;
mod files;
mod progress;
mod text;
mod toolchain;

pub use description::{Compilation, Description, Fallback, Global, Module, Pass};
pub use files::{Files, safe_name};
pub use progress::{Event, PROGRESS_VARIABLE, ParseProgressError, Progress};
pub use toolchain::{
    COMPILER_VARIABLE, IREE_VERSION, checkout, find_compiler, find_tool, is_right_version,
    version_in,
};

/// Names passes of the stage `legalize` that a build leaves out, separated by commas.
pub const WITHOUT_PASSES_VARIABLE: &str = "IREE_DSL_WITHOUT_PASSES";

/// The name of a [`Description`] that a binary embeds.
pub const DESCRIPTION: &str = "description.json";
