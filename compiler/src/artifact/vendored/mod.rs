//! Artifacts that lie in the repository, so that programs build where there is no compiler.
//!
//! ```text
//! .iree/.gitattributes
//! .iree/<package>/<program>.json            what the others were made from
//! .iree/<package>/<program>.mlir
//! .iree/<package>/<program>.<target>.vmfb
//! ```
//!
//! A build without a compiler parses, links, traces and verifies a program as any other does, and then
//! compares what it has with the `.json`. These decide what an artifact is:
//!
//! - the program, as the hash of its text in the intermediate representation. The text reads back to an
//!   equal module, and without locations lowering sees nothing but the module;
//! - the way from there to MLIR, as a hash of the sources of `legalize`, `lower`, the dialects and what these use;
//! - the passes of `legalize` that the build leaves out;
//! - the version of the IREE compiler;
//! - the target, and all flags.
//!
//! So what agrees in all of them is what this build would compile, but for the CPU that evaluates constant
//! expressions, and nothing is accepted that does not agree. Each file has its hash in the `.json`, so
//! that a damaged one is not taken for an artifact.
//!
//! The folder is written in two steps. A build that is told to ([`Vendoring`]) leaves what belongs into it
//! in another one; when that build is through, [`compare`] and [`install`] know what is new and what is
//! left over.

mod install;
mod manifest;
mod mismatch;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use install::{Difference, compare, install};
pub use mismatch::Mismatch;
pub use read::read;
pub use write::{expect, write};

use iree_abi::build::safe_name;
use std::path::{Path, PathBuf};

/// The folder of the repository, beside the manifest of a package.
pub const FOLDER: &str = ".iree";

/// Tells a build to leave what belongs into the repository in a folder: `write:FOLDER`, or `check:FOLDER`
/// for no more than what the artifacts must agree with.
pub const VARIABLE: &str = "IREE_DSL_VENDOR";

/// A build for the sake of what belongs into the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vendoring {
    /// It compiles, and leaves artifacts.
    Write(PathBuf),
    /// It leaves what artifacts must agree with.
    Check(PathBuf),
}

impl Vendoring {
    /// What the value of [`VARIABLE`] says.
    pub fn parse(value: &str) -> Option<Self> {
        match value.split_once(':')? {
            ("write", folder) => Some(Self::Write(folder.into())),
            ("check", folder) => Some(Self::Check(folder.into())),
            _ => None,
        }
    }
}

/// The folder with the artifacts of a package, by the folder that its manifest is in.
pub fn folder(package_root: &Path, package: &str) -> PathBuf {
    package_root.join(FOLDER).join(safe_name(package))
}
