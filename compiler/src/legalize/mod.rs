//! Writes what IREE needs into a module as operations of its own: where it must not compute something together with what
//! it is computed from, or with what is computed of it, a barrier stands, and what it must not take for something else is
//! written otherwise.
//!
//! First, operations that say what is computed, and not how, are expanded into others.
//!
//! A [pass](Pass) finds where something goes wrong that IREE 3.13 makes of a program. All passes look at the module after that,
//! without what nothing needs, so that none depends on another, and then what they ask for is written at once. Each can be left
//! out by its name.
//!
//! What users see of a program, and what the interpreter runs, is the module before this stage.

mod alike;
mod concatenated;
mod contained;
mod decisions;
mod dispatch;
mod edits;
mod error;
mod expand;
mod factors;
mod fusion;
mod gaps;
mod inputs;
mod iterations;
mod known;
mod lasting;
mod needed;
mod pass;
mod program;
mod repetitions;
mod separation;
mod softmax;
mod unpacked;
mod write;

pub use error::LegalizeError;
pub use pass::{Pass, Passes, Ran, Unknown, passes};
pub use separation::Separation;

pub(crate) use decisions::{
    Contained, Decided, End, Filling, Initializer, Reader, Updated, Way, Whole, Window,
};
pub(crate) use inputs::MOST;

use crate::span::SpanTable;
use decisions::Decisions;
use edits::Edits;
use iree_dsl_ir::{
    FunctionId, Module, Operation, OperationId,
    verify::{Verified, verify},
};
use program::Program;
use std::fmt;

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
    decisions: Decisions,
    passes: Vec<Ran>,
}

impl Legalized {
    /// The module.
    pub fn module(&self) -> &Module {
        self.verified.module()
    }

    /// What is decided of a function that no operation says.
    pub(crate) fn decided(&self, function: FunctionId) -> Option<&Decided> {
        self.decisions.functions.get(&function)
    }

    /// Who stores what a function computes, if these are first values of globals.
    pub(crate) fn initializer(&self, function: FunctionId) -> Option<Initializer> {
        self.decisions.initializers.get(&function).copied()
    }

    /// What became of each pass.
    pub fn passes(&self) -> &[Ran] {
        &self.passes
    }

    /// The text of the module with the place of each operation in the source, as a comment.
    pub fn located(&self, places: &SpanTable) -> String {
        let located = self.module().noted(|function, id| {
            let operation = self.operation(function, id)?;
            let place = places.location(operation.span);
            let place = format!("loc({:?}:{}:{})", place.file, place.line, place.column);
            let note = self.note(function, id);
            Some(note.map_or_else(|| place.clone(), |note| format!("{note} {place}")))
        });
        located.to_string()
    }

    /// What is to be known of an operation that it does not say.
    fn note(&self, function: FunctionId, id: OperationId) -> Option<String> {
        let operation = self.operation(function, id)?;
        self.decided(function)?.note(id, operation)
    }

    fn operation(&self, function: FunctionId, id: OperationId) -> Option<&Operation> {
        self.module().functions.get(function)?.operations.get(id)
    }
}

impl fmt::Display for Legalized {
    /// Writes the text of the module, with what its operations do not say as comments.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noted = self.module().noted(|function, id| self.note(function, id));
        noted.fmt(formatter)
    }
}

/// Expands operations of a module, and runs passes on it.
///
/// # Errors
///
/// If what becomes of it is not sound, which is a mistake of ours.
pub fn legalize(module: &Verified, manner: &Manner) -> Result<Legalized, LegalizeError> {
    // What nothing needs must not decide how a branch is expanded, and an expansion leaves operands that nothing reads.
    let expanded = expand::module(&needed::of(module.module()))?;
    let module = &needed::of(&expanded);
    let program = Program::of(module, &manner.separation);
    let mut edits = Edits::default();
    let mut ran = Vec::new();
    for pass in passes() {
        let asked = manner.passes.contains(pass).then(|| pass.run(&program));
        ran.push(Ran {
            pass,
            edits: asked.as_ref().map(Edits::count),
        });
        edits.extend(asked.unwrap_or_default());
    }
    let (module, marks) = write::module(module, &edits);
    let verified = verify(module)?;
    let decisions = Decisions::of(verified.module(), marks, &edits.unpacked);
    Ok(Legalized {
        verified,
        decisions,
        passes: ran,
    })
}
