//! Where the values of a function are defined and used.

use iree_dsl_ir::{
    Function, OperationId, Region, ValueId,
    op::{Alias, Effect, Op, Structure, UnaryOp},
};
use std::collections::{BTreeMap, BTreeSet};

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
    /// Where what comes before may be submitted to a device by itself.
    cuts: BTreeSet<Position>,
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

/// Something that changes tensors in place: a loop, what replaces a part, or a call, whose function may.
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

    /// Whether something between a value and an operation may have what is before it submitted by itself.
    pub(super) fn is_cut(&self, value: ValueId, operation: OperationId) -> bool {
        let ends = self
            .defined
            .get(&value)
            .zip(self.operations.get(&operation));
        ends.is_some_and(|(start, end)| start < end && self.cuts.range(start..end).next().is_some())
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

    /// Whether a value is used from a mutation on, wherever it is defined.
    pub(super) fn is_read_from(&self, value: ValueId, mutation: OperationId) -> bool {
        let ends = self.last.get(&value).zip(self.mutations.get(&mutation));
        ends.is_some_and(|(last, mutation)| *last > mutation.start)
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
        if cuts(&operation.op) {
            self.cuts.insert(start);
        }
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

/// Whether what is before an operation may be submitted to a device without what is behind it, because of a barrier or the host.
fn cuts(op: &Op) -> bool {
    if *op == Op::Unary(UnaryOp::Barrier) || op.effect() != Effect::Pure {
        return true;
    }
    match op.structure() {
        Structure::Update | Structure::Sort(_) | Structure::Scan(_) => true,
        Structure::Transform | Structure::Factor | Structure::System(_) => true,
        Structure::Convolution(_) | Structure::ReduceWindow(_) => true,
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
        Structure::Elementwise | Structure::Broadcast(_) | Structure::Reshape(_) => false,
        Structure::Transpose(_) | Structure::Reverse(_) | Structure::Slice(_) => false,
        Structure::Window(_) | Structure::Concatenate(_) | Structure::Pad(_) => false,
        Structure::Gather(_) | Structure::Scatter(_) => false,
        Structure::Reduction(_) | Structure::Extremum(_) | Structure::Contraction(_) => false,
        Structure::Branches | Structure::Iterations | Structure::Effect => true,
    }
}

/// Whether an operation changes a tensor without a copy of it.
fn changes_in_place(op: &Op) -> bool {
    match op.alias() {
        Alias::Iterations | Alias::InPlace(_) | Alias::Callee(_) => true,
        Alias::New | Alias::Constant | Alias::View | Alias::Operands { .. } => false,
        Alias::Global(_) | Alias::Branches | Alias::NoResults | Alias::Foreign => false,
    }
}
