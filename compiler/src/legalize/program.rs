//! A module as passes see it, and what several of them ask of it.

use super::{Separation, dispatch::Graph, fusion::Fusion};
use iree_dsl_ir::{Function, FunctionId, Module, Operation, OperationId, ValueId};
use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

/// A module before any pass.
pub(super) struct Program<'a> {
    pub(super) module: &'a Module,
    pub(super) separation: &'a Separation,
    graphs: OnceCell<Vec<Graph<'a>>>,
    fusions: OnceCell<BTreeMap<FunctionId, Fusion>>,
}

impl<'a> Program<'a> {
    pub(super) fn of(module: &'a Module, separation: &'a Separation) -> Self {
        Self {
            module,
            separation,
            graphs: OnceCell::new(),
            fusions: OnceCell::new(),
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

    /// What of a function is fused, of sizes that are known at the call only.
    pub(super) fn fusion(&self, function: FunctionId) -> Option<&Fusion> {
        let fusions = self.fusions.get_or_init(|| {
            let functions = self.functions();
            functions.map(|(id, it)| (id, Fusion::of(it))).collect()
        });
        fusions.get(&function)
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

    /// Where some of its operands are read.
    pub(super) fn reading(
        self,
        is_some: impl Fn(ValueId) -> bool + 'a,
    ) -> impl Iterator<Item = (OperationId, usize)> + 'a {
        let some = self
            .operands()
            .filter(move |(_, operand)| is_some(*operand));
        some.map(move |(position, _)| (self.id, position))
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
