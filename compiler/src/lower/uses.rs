//! Where the values of a function are defined and used.

use crate::{
    ir::{Function, OperationId, Region, ValueId},
    op::Op,
};
use std::collections::BTreeMap;

/// A place in the order in which a function is written.
type Position = usize;

/// Where values are defined and used for the last time, and where what changes tensors in place begins.
#[derive(Default)]
pub(super) struct Uses {
    next: Position,
    defined: BTreeMap<ValueId, Position>,
    last: BTreeMap<ValueId, Position>,
    mutations: BTreeMap<OperationId, Mutation>,
    operations: BTreeMap<OperationId, Position>,
    around: Position,
}

/// Something that changes tensors in place: a loop, or what replaces a part.
#[derive(Clone, Copy)]
struct Mutation {
    start: Position,
    /// Where the loop around it starts, or the function.
    around: Position,
}

impl Uses {
    pub(super) fn of(function: &Function) -> Self {
        let mut uses = Self::default();
        uses.region(function, &function.body);
        uses
    }

    /// Whether one operation comes before another.
    pub(super) fn is_before(&self, one: OperationId, other: OperationId) -> bool {
        self.operations.get(&one) < self.operations.get(&other)
    }

    /// Whether a value that exists when a mutation starts is used from then on other than as its operand.
    pub(super) fn outlives(&self, value: ValueId, mutation: OperationId) -> bool {
        let (Some(defined), Some(last), Some(Mutation { start, around })) = (
            self.defined.get(&value),
            self.last.get(&value),
            self.mutations.get(&mutation),
        ) else {
            return false;
        };
        // The loop around comes here again, with the same value.
        let again = defined < around && last > around;
        defined < start && (last > start || again)
    }

    fn region(&mut self, function: &Function, region: &Region) {
        self.define(&region.parameters);
        for id in &region.operations {
            self.operation(function, *id);
        }
        self.step();
        self.read(&region.results);
    }

    fn operation(&mut self, function: &Function, id: OperationId) {
        let Some(operation) = function.operations.get(id) else {
            return;
        };
        self.step();
        self.read(&operation.operands);
        let (start, around) = (self.next, self.around);
        self.operations.insert(id, start);
        if matches!(operation.op, Op::While | Op::DynamicUpdateSlice) {
            self.mutations.insert(id, Mutation { start, around });
        }
        if matches!(operation.op, Op::While) {
            self.around = start;
        }
        for region in &operation.regions {
            self.region(function, region);
        }
        self.around = around;
        self.step();
        self.define(&operation.results);
    }

    fn step(&mut self) {
        self.next += 1;
    }

    fn define(&mut self, values: &[ValueId]) {
        let defined = values.iter().map(|value| (*value, self.next));
        self.defined.extend(defined);
    }

    fn read(&mut self, values: &[ValueId]) {
        let read = values.iter().map(|value| (*value, self.next));
        self.last.extend(read);
    }
}
