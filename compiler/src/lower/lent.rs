//! Which arguments of a function IREE would change.
//!
//! IREE 3.13 updates a tensor in place if the function needs it no more, also where its buffer is an
//! argument of an exported function, which the caller may need.

use super::storage::Buffers;
use crate::{
    ir::{FunctionId, Module, Operation, ValueId},
    op::Op,
};
use std::collections::{BTreeMap, BTreeSet};

/// For each function, the positions of the parameters whose buffer it may update.
pub(super) struct Updates(BTreeMap<FunctionId, BTreeSet<usize>>);

impl Updates {
    /// Goes through all functions of a module.
    pub(super) fn of(module: &Module) -> Self {
        let mut updates = Self(BTreeMap::new());
        for (id, _) in module.functions.iter() {
            updates.visit(module, id);
        }
        updates
    }

    /// Whether a function may update its parameter at a position.
    pub(super) fn may_change(&self, function: FunctionId, position: usize) -> bool {
        self.0
            .get(&function)
            .is_some_and(|positions| positions.contains(&position))
    }

    /// Callees come before their callers.
    fn visit(&mut self, module: &Module, id: FunctionId) {
        let Some(function) = module.functions.get(id) else {
            return;
        };
        if self.0.contains_key(&id) {
            return;
        }
        let operations = || function.operations.iter().map(|(_, operation)| operation);
        for operation in operations() {
            if let Op::Call(call) = &operation.op {
                self.visit(module, call.callee);
            }
        }
        let updated: Vec<_> = operations()
            .flat_map(|operation| self.operands(operation))
            .collect();
        if updated.is_empty() {
            self.0.insert(id, BTreeSet::new());
            return;
        }
        let buffers = Buffers::of(function);
        let changed = updated.into_iter();
        let changed: Vec<_> = changed
            .flat_map(|operand| buffers.arguments(operand))
            .collect();
        let parameters = function.body.parameters.iter().enumerate();
        let positions = parameters.filter(|(_, parameter)| changed.contains(parameter));
        self.0
            .insert(id, positions.map(|(position, _)| position).collect());
    }

    /// The operands that an operation may update.
    fn operands(&self, operation: &Operation) -> Vec<ValueId> {
        let operands = operation.operands.iter().enumerate();
        let updated = operands.filter(|(position, _)| match &operation.op {
            Op::DynamicUpdateSlice | Op::Scatter(_) => *position == 0,
            Op::Call(call) => self.may_change(call.callee, *position),
            // Nobody knows what a text does.
            Op::Mlir(_) => true,
            _ => false,
        });
        updated.map(|(_, operand)| *operand).collect()
    }
}
