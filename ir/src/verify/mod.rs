//! Checks that a module is what the representation promises.
//!
//! Users' mistakes are found while tracing. What fails here is a mistake of ours, so the messages name
//! functions and operations of the representation, not expressions of the program.

mod error;
mod function;
mod module;
mod operation;

pub use error::{VerifyError, Violation};

use crate::Module;

/// A module that [`verify()`] found to be sound. Nothing else makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    module: Module,
}

impl Verified {
    /// The module.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The module, no longer known to be sound.
    pub fn into_module(self) -> Module {
        self.module
    }
}

/// Checks a module.
///
/// # Errors
///
/// Everything that is wrong with it, in the order of its globals and functions.
pub fn verify(module: Module) -> Result<Verified, Vec<VerifyError>> {
    let errors = module::check(&module);
    if errors.is_empty() {
        Ok(Verified { module })
    } else {
        Err(errors)
    }
}

#[cfg(test)]
mod tests;
