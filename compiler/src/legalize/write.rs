//! Writes what passes ask for into the functions of a module.

use super::edits::{Edit, Edits};
use iree_dsl_ir::{
    Arena, Function, FunctionId, Module, Operation, OperationId, Region, SpanId, ValueId,
    op::{BinaryOp, Op, UnaryOp},
};
use std::collections::{BTreeMap, BTreeSet};

/// What passes ask for that no operation says, by function.
pub(super) type Marks = BTreeMap<FunctionId, Marked>;

/// What passes ask for of values of a function, and no operation says.
#[derive(Default)]
pub(super) struct Marked {
    /// Sums of products that must not look like contractions.
    pub(super) sums: BTreeSet<ValueId>,
    /// The results of loops that one dispatch runs.
    pub(super) contained: BTreeSet<ValueId>,
}

/// A module with what passes ask for.
pub(super) fn module(module: &Module, edits: &Edits) -> (Module, Marks) {
    let mut written = Module {
        name: module.name.clone(),
        globals: module.globals.clone(),
        functions: Arena::default(),
    };
    let mut marks = Marks::new();
    for (id, function) in module.functions.iter() {
        let writer = edits.of(id).map(|edit| Writer::of(function, edit));
        let function = match writer {
            None => function.clone(),
            Some(writer) => {
                marks.insert(id, writer.marked());
                writer.write()
            }
        };
        written.functions.push(function);
    }
    (written, marks)
}

/// Writes a function anew, in the order in which it was, so that values keep theirs.
struct Writer<'a> {
    function: &'a Function,
    edit: &'a Edit,
    written: Function,
    /// What became of each value, by its index.
    values: Vec<Written>,
    /// What stands for each operation, by its index: barriers before it, itself, and barriers behind it.
    operations: Vec<Vec<OperationId>>,
}

/// What became of a value.
#[derive(Clone, Copy)]
struct Written {
    /// The value itself; of what is removed, its operand.
    defined: ValueId,
    /// What is behind a barrier, if there is one.
    behind: Option<ValueId>,
}

impl Written {
    /// What is read in the place of the value.
    fn read(self) -> ValueId {
        self.behind.unwrap_or(self.defined)
    }
}

impl<'a> Writer<'a> {
    fn of(function: &'a Function, edit: &'a Edit) -> Self {
        let written = Function {
            values: Arena::default(),
            operations: Arena::default(),
            ..Function::new(function.name.clone(), function.linkage, function.span)
        };
        let mut writer = Self {
            function,
            edit,
            written,
            values: Vec::new(),
            operations: Vec::new(),
        };
        writer.define_values();
        writer
    }

    /// What no operation says, by its new names.
    fn marked(&self) -> Marked {
        let renamed = |values: &BTreeSet<ValueId>| {
            let values = values.iter();
            let values = values.filter_map(|value| self.values.get(value.index()));
            values.map(|written| written.defined).collect()
        };
        Marked {
            sums: renamed(&self.edit.sums),
            contained: renamed(&self.edit.contained),
        }
    }

    fn write(mut self) -> Function {
        self.written.parameter_names = self.function.parameter_names.clone();
        let parameters = self.parameters_apart();
        for (id, operation) in self.function.operations.iter() {
            let placed = self.operation(id, operation);
            self.operations.push(placed);
        }
        // Operations in regions may stand before or behind the one that has the regions.
        self.regions();
        let mut body = self.region(&self.function.body);
        body.operations.splice(0..0, parameters);
        self.return_apart(&mut body);
        self.written.body = body;
        self.written
    }

    fn define_values(&mut self) {
        let (removed, behind) = (self.removed(), self.behind());
        for (id, value) in self.function.values.iter() {
            let operand = removed.get(&id);
            let operand = operand.and_then(|operand| self.values.get(operand.index()));
            let written = operand.copied().unwrap_or_else(|| {
                let defined = self.written.values.push(value.clone());
                let is_behind = behind.contains(&id);
                let behind = is_behind.then(|| self.written.values.push(value.clone()));
                Written { defined, behind }
            });
            self.values.push(written);
        }
    }

    /// What is behind barriers that are removed, with their operands.
    fn removed(&self) -> BTreeMap<ValueId, ValueId> {
        let operations = self.function.operations.iter();
        let removed = operations.filter(|(id, operation)| self.is_removed(*id, operation));
        let removed = removed.filter_map(|(_, barrier)| {
            Some((*barrier.results.first()?, *barrier.operands.first()?))
        });
        removed.collect()
    }

    /// Whether a barrier is removed: nothing may ask for it.
    fn is_removed(&self, id: OperationId, operation: &Operation) -> bool {
        let mut results = operation.results.iter();
        self.edit.erased.contains(&id) && results.all(|result| !self.edit.apart.contains(result))
    }

    /// The values that get a barrier. What blocks take has none, and a barrier needs none.
    fn behind(&self) -> BTreeSet<ValueId> {
        let operations = || {
            self.function
                .operations
                .iter()
                .map(|(_, operation)| operation)
        };
        let regions = operations().flat_map(|operation| &operation.regions);
        let taken = regions.flat_map(|region| &region.parameters);
        let barriers = operations().filter(|operation| is_barrier(operation));
        let barriers = barriers.flat_map(|operation| &operation.results);
        let without: BTreeSet<_> = taken.chain(barriers).collect();
        let apart = self.edit.apart.iter();
        apart
            .filter(|value| !without.contains(value))
            .copied()
            .collect()
    }

    /// The barriers behind parameters of the function.
    fn parameters_apart(&mut self) -> Vec<OperationId> {
        let (parameters, span) = (&self.function.body.parameters, self.function.span);
        let apart = parameters
            .iter()
            .filter_map(|value| self.apart(*value, span));
        let apart: Vec<_> = apart.collect();
        self.append(apart)
    }

    /// Has the function hand back some of its results behind barriers.
    fn return_apart(&mut self, body: &mut Region) {
        for position in self.edit.returned.iter() {
            if let Some(result) = body.results.get_mut(*position) {
                let barrier = self.barrier(*result, self.function.span);
                if let Some((barrier, behind)) = barrier {
                    *result = behind;
                    body.operations.push(self.written.operations.push(barrier));
                }
            }
        }
    }

    /// Writes an operation without its regions, and returns what stands for it.
    fn operation(&mut self, id: OperationId, operation: &Operation) -> Vec<OperationId> {
        if self.is_removed(id, operation) {
            return Vec::new();
        }
        let mut operands = self.read(&operation.operands);
        let mut placed = Vec::new();
        for (position, operand) in operands.iter_mut().enumerate() {
            if self.edit.before.contains(&(id, position))
                && let Some((barrier, behind)) = self.barrier(*operand, operation.span)
            {
                *operand = behind;
                placed.push(self.written.operations.push(barrier));
            }
        }
        let op = match self.edit.negated.contains(&id) {
            false => operation.op.clone(),
            true => {
                placed.extend(self.negate_last(&mut operands, operation.span));
                Op::Binary(BinaryOp::Add)
            }
        };
        let results = operation
            .results
            .iter()
            .filter_map(|it| self.values.get(it.index()));
        placed.push(self.written.operations.push(Operation {
            op,
            operands,
            results: results.map(|written| written.defined).collect(),
            regions: Vec::new(),
            span: operation.span,
        }));
        let results = operation.results.iter();
        let apart = results.filter_map(|value| self.apart(*value, operation.span));
        let apart: Vec<_> = apart.collect();
        placed.extend(self.append(apart));
        placed
    }

    /// Puts the negative in the place of the last operand.
    fn negate_last(&mut self, operands: &mut [ValueId], span: SpanId) -> Option<OperationId> {
        let last = operands.last_mut()?;
        let value = self.written.values.get(*last)?.clone();
        let negative = self.written.values.push(value);
        let negate = unary(UnaryOp::Negate, *last, negative, span);
        *last = negative;
        Some(self.written.operations.push(negate))
    }

    /// The barrier behind a value, if there is to be one.
    fn apart(&self, value: ValueId, span: SpanId) -> Option<Operation> {
        let Written { defined, behind } = *self.values.get(value.index())?;
        Some(barrier(defined, behind?, span))
    }

    /// A barrier that one reader reads, and what is behind it.
    fn barrier(&mut self, operand: ValueId, span: SpanId) -> Option<(Operation, ValueId)> {
        let value = self.written.values.get(operand)?.clone();
        let behind = self.written.values.push(value);
        Some((barrier(operand, behind, span), behind))
    }

    fn append(&mut self, operations: Vec<Operation>) -> Vec<OperationId> {
        let operations = operations.into_iter();
        operations
            .map(|it| self.written.operations.push(it))
            .collect()
    }

    fn regions(&mut self) {
        for (id, operation) in self.function.operations.iter() {
            if operation.regions.is_empty() {
                continue;
            }
            let regions = operation.regions.iter().map(|region| self.region(region));
            let regions: Vec<_> = regions.collect();
            let mut placed = self.operations.get(id.index()).into_iter().flatten();
            // Before what has regions and behind it are barriers only.
            let owner = placed.find(|id| {
                let placed = self.written.operations.get(**id);
                placed.is_some_and(|placed| placed.op == operation.op)
            });
            if let Some(owner) = owner.and_then(|id| self.written.operations.get_mut(*id)) {
                owner.regions = regions;
            }
        }
    }

    fn region(&self, region: &Region) -> Region {
        let parameters = region.parameters.iter();
        let parameters = parameters.filter_map(|value| self.values.get(value.index()));
        let operations = region.operations.iter();
        let operations = operations.filter_map(|id| self.operations.get(id.index()));
        Region {
            parameters: parameters.map(|written| written.defined).collect(),
            operations: operations.flatten().copied().collect(),
            results: self.read(&region.results),
        }
    }

    fn read(&self, values: &[ValueId]) -> Vec<ValueId> {
        let written = values
            .iter()
            .filter_map(|value| self.values.get(value.index()));
        written.map(|written| written.read()).collect()
    }
}

fn is_barrier(operation: &Operation) -> bool {
    operation.op == Op::Unary(UnaryOp::Barrier)
}

fn barrier(operand: ValueId, result: ValueId, span: SpanId) -> Operation {
    unary(UnaryOp::Barrier, operand, result, span)
}

fn unary(op: UnaryOp, operand: ValueId, result: ValueId, span: SpanId) -> Operation {
    Operation {
        op: Op::Unary(op),
        operands: vec![operand],
        results: vec![result],
        regions: Vec::new(),
        span,
    }
}
