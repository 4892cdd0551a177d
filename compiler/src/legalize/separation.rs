//! What is computed by itself because IREE failed on what it made of a program.

use super::{
    edits::Edits,
    known::{constants, known},
    program::{Program, Step, steps},
};
use crate::span::SpanId;
use iree_dsl_ir::{
    Operation, ValueId,
    op::{Effect, Op},
};
use std::collections::BTreeSet;

/// What IREE computes by itself, though it could fuse it: where it fails on what it makes of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Separation {
    /// Nothing.
    #[default]
    AsUsual,
    /// What the operations at these places compute, and what they compute it from.
    At(BTreeSet<SpanId>),
    /// The result of every operation.
    Everything,
}

/// Separates values of all functions, but for what is known: IREE refuses barriers behind constants, and needs none there.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    if *program.separation == Separation::AsUsual {
        return;
    }
    for (id, function) in program.functions() {
        let known = known(function);
        let operations = function.operations.iter();
        let values = operations.flat_map(|(_, operation)| program.separation.of(operation));
        let values = values.filter(|value| !known.contains(value));
        edits.within(id).apart.extend(values);
    }
    separate_operands(program, edits);
}

/// IREE simplifies operations on a value and itself, and has mistakes there too: they read it behind a barrier the second time.
fn separate_operands(program: &Program<'_>, edits: &mut Edits) {
    for (id, function) in program.functions() {
        let constants = constants(function);
        for step in steps(function) {
            if program.separation.is_of(step.operation) && reads_tensors(&step.operation.op) {
                let again = read_again(step).filter(|(_, value)| !constants.contains(value));
                let again = again.map(|(position, _)| (step.id, position));
                edits.within(id).before.extend(again);
            }
        }
    }
}

/// The operands that an operation has read before, at another position.
fn read_again(step: Step<'_>) -> impl Iterator<Item = (usize, ValueId)> {
    let mut seen = BTreeSet::new();
    step.operands()
        .filter(move |(_, value)| !seen.insert(*value))
}

/// Whether an operation is computed from tensors: branches, loops and assertions depend on numbers.
fn reads_tensors(op: &Op) -> bool {
    match op.effect() {
        Effect::Regions | Effect::Checks(_) => false,
        Effect::Pure | Effect::Reads(_) | Effect::Writes(_) | Effect::Shows(_) => true,
        Effect::Calls(_) | Effect::CallsHost(_) | Effect::Foreign(_) => true,
    }
}

impl Separation {
    /// Whether an operation is not fused with others.
    pub(super) fn is_of(&self, operation: &Operation) -> bool {
        match self {
            Self::AsUsual => false,
            Self::At(places) => places.contains(&operation.span),
            Self::Everything => true,
        }
    }

    fn of(&self, operation: &Operation) -> Vec<ValueId> {
        let (operands, results) = (operation.operands.iter(), operation.results.iter());
        match self {
            _ if !self.is_of(operation) => Vec::new(),
            Self::AsUsual => Vec::new(),
            Self::At(_) => operands.chain(results).copied().collect(),
            Self::Everything => results.copied().collect(),
        }
    }
}
