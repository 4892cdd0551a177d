//! Which values depend on some.

use crate::{derive::is_differentiable, effect};
use iree_abi::DType;
use iree_dsl_ir::{
    Function, GlobalId, Module, Operation, OperationId, Region, ValueId,
    op::{Effect, Op, UnaryOp},
};
use std::collections::BTreeSet;

/// What is reached from some values.
pub(crate) struct Flow<'f> {
    function: &'f Function,
    reached: BTreeSet<ValueId>,
    globals: BTreeSet<GlobalId>,
    /// Whether a result of this element type changes with the operands.
    passes: fn(&Op, DType) -> bool,
    /// The module, if what the host computes is reached too.
    module: Option<&'f Module>,
}

impl<'f> Flow<'f> {
    /// What depends on values in any way.
    pub(crate) fn of_values(
        function: &'f Function,
        values: impl IntoIterator<Item = ValueId>,
    ) -> Self {
        Self {
            function,
            reached: values.into_iter().collect(),
            globals: BTreeSet::new(),
            passes: |_, _| true,
            module: None,
        }
    }

    /// What may differ from element to element of a batch if these values do: also what the host computes, which is asked
    /// for each of them.
    pub(crate) fn of_elements(
        module: &'f Module,
        function: &'f Function,
        values: impl IntoIterator<Item = ValueId>,
    ) -> Self {
        Self {
            module: Some(module),
            ..Self::of_values(function, values)
        }
    }

    /// What may have a tangent if these values have.
    pub(crate) fn of_tangents(
        function: &'f Function,
        values: impl IntoIterator<Item = ValueId>,
    ) -> Self {
        Self {
            function,
            reached: values.into_iter().collect(),
            globals: BTreeSet::new(),
            passes: |op, dtype| is_differentiable(dtype) && *op != Op::Unary(UnaryOp::StopGradient),
            module: None,
        }
    }

    pub(crate) fn reaches(&self, value: ValueId) -> bool {
        self.reached.contains(&value)
    }

    pub(crate) fn block(&mut self, operations: &[OperationId]) {
        for id in operations {
            if let Some(operation) = self.function.operations.get(*id) {
                self.operation(operation);
            }
        }
    }

    pub(crate) fn operation(&mut self, operation: &Operation) {
        match operation.regions.as_slice() {
            [condition, body] if operation.op == Op::While => {
                self.iterations(operation, condition, body);
            }
            regions if operation.op == Op::If => {
                for region in regions {
                    self.block(&region.operations);
                    self.pass(&region.results, &operation.results);
                }
                self.through(operation, &operation.operands);
            }
            _ => {
                let reads: Vec<_> = effect::reads(self.function, operation)
                    .into_iter()
                    .collect();
                self.through(operation, &reads);
            }
        }
    }

    /// What iterations hand on is reached sooner or later.
    fn iterations(&mut self, operation: &Operation, condition: &Region, body: &Region) {
        self.pass(&operation.operands, &body.parameters);
        loop {
            let before = self.reached.len();
            self.block(&body.operations);
            self.pass(&body.results, &body.parameters);
            if self.reached.len() == before {
                break;
            }
        }
        self.pass(&body.parameters, &operation.results);
        self.pass(&body.parameters, &condition.parameters);
        self.block(&condition.operations);
        self.through(operation, &condition.results);
    }

    /// Values that are others.
    fn pass(&mut self, from: &[ValueId], to: &[ValueId]) {
        for (from, to) in from.iter().zip(to) {
            if self.reaches(*from) {
                self.reached.insert(*to);
            }
        }
    }

    /// Results that are computed from values.
    fn through(&mut self, operation: &Operation, reads: &[ValueId]) {
        let is_stored = |global| self.globals.contains(&global);
        let is_read = match operation.op.effect() {
            Effect::Reads(access) => is_stored(access.global),
            Effect::Writes(_)
            | Effect::Pure
            | Effect::Shows(_)
            | Effect::Checks(_)
            | Effect::CallsHost(_)
            | Effect::Foreign(_)
            | Effect::Calls(_)
            | Effect::Regions => reads.iter().any(|id| self.reaches(*id)),
        };
        let is_asked = |module| effect::calls_host(module, self.function, operation);
        if !is_read && !self.module.is_some_and(is_asked) {
            return;
        }
        if let Effect::Writes(access) = operation.op.effect() {
            self.globals.insert(access.global);
        }
        let changes = |id: &&ValueId| {
            let ty = self.function.ty(**id);
            ty.is_some_and(|ty| (self.passes)(&operation.op, ty.dtype))
        };
        let results: Vec<_> = operation.results.iter().filter(changes).copied().collect();
        self.reached.extend(results);
    }
}
