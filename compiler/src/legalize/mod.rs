//! Writes what IREE needs into a module as operations of its own: where it must not compute something together with what
//! it is computed from, or with what is computed of it, a barrier stands.
//!
//! A [pass](Pass) finds where something goes wrong that IREE 3.13 makes of a program. All passes look at the module as it was
//! traced, so that none depends on another, and then what they ask for is written at once. Each can be left out by its name.
//!
//! What users see of a program, and what the interpreter runs, is the module before this stage.

mod concatenated;
mod dispatch;
mod edits;
mod error;
mod factors;
mod fusion;
mod gaps;
mod inputs;
mod known;
mod pass;
mod program;
mod repetitions;
mod separation;
mod write;

pub use error::LegalizeError;
pub use pass::{Pass, Passes, Unknown, passes};
pub use separation::Separation;

pub(crate) use fusion::is_fused;
pub(crate) use inputs::MOST;
pub(crate) use known::constants;

use edits::Edits;
use iree_dsl_ir::{
    FunctionId, Module, ValueId,
    verify::{Verified, verify},
};
use program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// What decides how a module is legalized, beside the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// Which passes run.
    pub passes: Passes,
    /// What is not fused, besides.
    pub separation: Separation,
}

/// A module that says what IREE needs. Nothing but [`legalize()`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legalized {
    verified: Verified,
    sums: BTreeMap<FunctionId, BTreeSet<ValueId>>,
}

impl Legalized {
    /// The module.
    pub fn module(&self) -> &Module {
        self.verified.module()
    }

    /// The sums of products of a function that must not look like contractions. No operation says that: a contraction that
    /// is written as something else is no longer one, and what is done to the operand of a reduction is nothing that
    /// computes.
    pub(crate) fn sums(&self, function: FunctionId) -> Option<&BTreeSet<ValueId>> {
        self.sums.get(&function)
    }
}

/// Runs passes on a module.
///
/// # Errors
///
/// If what they make of it is not sound, which is a mistake of ours.
pub fn legalize(module: &Verified, manner: &Manner) -> Result<Legalized, LegalizeError> {
    let module = module.module();
    let program = Program::of(module, &manner.separation);
    let mut edits = Edits::default();
    for pass in passes().filter(|pass| manner.passes.contains(pass)) {
        pass.run(&program, &mut edits);
    }
    let (module, sums) = write::module(module, &edits);
    let verified = verify(module)?;
    Ok(Legalized { verified, sums })
}
