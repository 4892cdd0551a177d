//! Where the values of a function are defined and used.

use iree_dsl_ir::{
    Function, OperationId, Region, ValueId,
    op::{Alias, Op, Update},
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

/// From where to where several values are there: for each, by where it is defined, the last use of it and of
/// those that are defined before it.
#[derive(Default)]
pub(super) struct Spans(Vec<(Position, Position)>);

impl Spans {
    /// Whether a value is there before a position and used after it.
    fn cover(&self, position: Position) -> bool {
        let before = self.0.partition_point(|(defined, _)| *defined < position);
        let latest = self.0.get(..before).and_then(<[_]>::last);
        latest.is_some_and(|(_, last)| *last > position)
    }
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

    /// From where to where values are there.
    pub(super) fn spans(&self, values: impl IntoIterator<Item = ValueId>) -> Spans {
        let span = |value| Some((*self.defined.get(&value)?, *self.last.get(&value)?));
        let mut spans: Vec<_> = values.into_iter().filter_map(span).collect();
        spans.sort_unstable();
        let mut latest = 0;
        for (_, last) in &mut spans {
            latest = latest.max(*last);
            *last = latest;
        }
        Spans(spans)
    }

    /// Whether a value that is there when a mutation starts is used from then on other than as its operand.
    pub(super) fn outlive(&self, spans: &Spans, mutation: OperationId) -> bool {
        let mutation = self.mutations.get(&mutation);
        // The loop around comes here again, with the same values.
        mutation.is_some_and(|it| spans.cover(it.start) || spans.cover(it.around))
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
        if changes_in_place(&operation.op) {
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

/// Whether an operation changes a tensor without a copy of it.
fn changes_in_place(op: &Op) -> bool {
    match op.alias() {
        Alias::Iterations | Alias::InPlace(Update::Window) => true,
        Alias::InPlace(Update::Elements) => false,
        Alias::New | Alias::Constant | Alias::View | Alias::Operands { .. } => false,
        Alias::Global(_) | Alias::Branches | Alias::NoResults => false,
        Alias::Callee(_) | Alias::Foreign => false,
    }
}
