//! Products of what repeats a tensor.

use super::{edits::Edits, factors::is_product, known::is_splat, program::Program};
use iree_dsl_ir::{
    Function, Operation, ValueId,
    op::{Alias, Broadcast, Op},
};
use std::collections::{BTreeMap, BTreeSet};

/// Puts barriers before products of repeated tensors.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, function) in program.functions() {
        let repeated = repetitions(function);
        edits.within(id).read_apart(function, |operation, operand| {
            is_product(&operation.op) && repeated.contains(&operand)
        });
    }
}

/// The values of a function that repeat a tensor, whatever is done to each element of them. As operands of
/// a matrix product, IREE crashes on them with data tiling.
fn repetitions(function: &Function) -> BTreeSet<ValueId> {
    let mut repeated: BTreeSet<ValueId> = BTreeSet::new();
    let mut along = Along::default();
    for (_, operation) in function.operations.iter() {
        let op = &operation.op;
        let is_along_an_axis = along.enter(function, operation);
        let is_of_one = op.is_elementwise() && operation.operands.len() == 1;
        let mut operands = operation.operands.iter();
        let keeps =
            (is_of_one || op.alias() == Alias::View) && operands.all(|id| repeated.contains(id));
        if keeps || is_along_an_axis {
            repeated.extend(&operation.results);
        }
    }
    repeated
}

/// The axes along which broadcasts, and what is computed from several of them element by element, are the same.
#[derive(Default)]
struct Along(BTreeMap<ValueId, BTreeSet<usize>>);

impl Along {
    /// Whether an operation repeats something, or combines what does along the same axis.
    fn enter(&mut self, function: &Function, operation: &Operation) -> bool {
        let [result] = operation.results[..] else {
            return false;
        };
        let rank = function.ty(result).map_or(0, |ty| ty.shape.rank());
        let axes = if let Op::Broadcast(op) = &operation.op {
            Some(repeated_axes(function, operation, op, rank))
        } else if is_splat(&operation.op) {
            self.0.insert(result, (0..rank).collect());
            return false;
        } else if operation.op.is_elementwise() {
            self.common(&operation.operands)
        } else {
            None
        };
        let is_repeated = axes.as_ref().is_some_and(|axes| !axes.is_empty());
        self.0.extend(axes.map(|axes| (result, axes)));
        is_repeated
    }

    /// The axes along which all of some values are the same.
    fn common(&self, values: &[ValueId]) -> Option<BTreeSet<usize>> {
        let mut all = values.iter().map(|value| self.0.get(value).cloned());
        let first = all.next()??;
        all.try_fold(first, |common, axes| Some(&common & &axes?))
    }
}

/// The axes of a broadcast that are not axes of its operand with more than one place.
fn repeated_axes(
    function: &Function,
    operation: &Operation,
    op: &Broadcast,
    rank: usize,
) -> BTreeSet<usize> {
    let operand = operation.operands.first().and_then(|it| function.ty(*it));
    let is_read = |axis: &usize| {
        let position = op.axes.iter().position(|place| place == axis);
        let dim = position.and_then(|it| operand?.shape.dims().get(it));
        dim.is_some_and(|dim| !dim.is_one())
    };
    (0..rank).filter(|axis| !is_read(axis)).collect()
}
