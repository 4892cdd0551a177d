//! A module as passes see it, and what several of them ask of it.

use super::{
    Separation,
    contained::{self, Contained},
    dispatch::Graph,
    fusion::Fusion,
};
use iree_dsl_ir::{Function, FunctionId, Module, Operation, OperationId, ValueId};
use std::{cell::OnceCell, collections::BTreeSet};

/// A module before any pass.
pub(super) struct Program<'a> {
    pub(super) module: &'a Module,
    pub(super) separation: &'a Separation,
    graphs: OnceCell<Vec<Graph<'a>>>,
    fusions: OnceCell<Vec<Fusion>>,
    contained: OnceCell<Contained>,
    none: BTreeSet<OperationId>,
}

impl<'a> Program<'a> {
    pub(super) fn of(module: &'a Module, separation: &'a Separation) -> Self {
        Self {
            module,
            separation,
            graphs: OnceCell::new(),
            fusions: OnceCell::new(),
            contained: OnceCell::new(),
            none: BTreeSet::new(),
        }
    }

    /// Its functions.
    pub(super) fn functions(&self) -> impl Iterator<Item = (FunctionId, &'a Function)> {
        self.module.functions.iter()
    }

    /// What is computed by functions that no other calls, with what they call in the place of the calls.
    pub(super) fn graphs(&self) -> &[Graph<'a>] {
        self.graphs.get_or_init(|| {
            let uncalled = uncalled(self.module);
            uncalled.map(|id| Graph::of(self.module, id)).collect()
        })
    }

    /// The loops of a function that one dispatch runs.
    pub(super) fn contained(&self, function: FunctionId) -> &BTreeSet<OperationId> {
        let contained = self.contained.get_or_init(|| contained::of(self));
        contained.get(&function).unwrap_or(&self.none)
    }

    /// Its functions, and what of each is fused, of sizes that are known at the call only.
    pub(super) fn fusions(&self) -> impl Iterator<Item = (FunctionId, &'a Function, &Fusion)> {
        let fusions = self.fusions.get_or_init(|| {
            let functions = self.functions();
            functions
                .map(|(_, function)| Fusion::of(function))
                .collect()
        });
        let functions = self.functions().zip(fusions);
        functions.map(|((id, function), fusion)| (id, function, fusion))
    }
}

/// The operations of a function.
pub(super) fn steps(function: &Function) -> impl Iterator<Item = Step<'_>> {
    let operations = function.operations.iter();
    operations.map(|(id, operation)| Step { id, operation })
}

/// An operation, and where it is.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) id: OperationId,
    pub(super) operation: &'a Operation,
}

impl<'a> Step<'a> {
    /// Its operands, by their position.
    pub(super) fn operands(self) -> impl Iterator<Item = (usize, ValueId)> + 'a {
        self.operation.operands.iter().copied().enumerate()
    }
}

/// The functions that are not looked at where they are called.
fn uncalled(module: &Module) -> impl Iterator<Item = FunctionId> {
    let functions = module.functions.iter();
    let operations = functions.flat_map(|(_, function)| function.operations.iter());
    let called = operations.filter_map(|(_, operation)| operation.op.callee());
    let called = called.map(|call| call.callee);
    let called: BTreeSet<_> = called.collect();
    let all = module.functions.iter().map(|(id, _)| id);
    all.filter(move |id| !called.contains(id))
}
