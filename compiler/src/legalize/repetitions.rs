//! Products of what repeats a tensor.

use super::{edits::Edits, factors::is_product, known::is_splat, program::Program};
use iree_abi::TensorType;
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
struct Along {
    axes: BTreeMap<ValueId, BTreeSet<usize>>,
    /// The values that are one number everywhere.
    even: BTreeSet<ValueId>,
}

impl Along {
    /// Whether an operation repeats something, or combines what does along the same axis.
    fn enter(&mut self, function: &Function, operation: &Operation) -> bool {
        let [result] = operation.results[..] else {
            return false;
        };
        let Some(ty) = function.ty(result) else {
            return false;
        };
        let is_elementwise = operation.op.is_elementwise();
        let mut operands = operation.operands.iter();
        let is_even = is_elementwise && operands.all(|operand| self.even.contains(operand));
        if is_even || is_splat(&operation.op) {
            self.even.insert(result);
            self.axes.insert(result, (0..ty.shape.rank()).collect());
            return false;
        }
        let axes = if let Op::Broadcast(op) = &operation.op {
            Some(repeated_axes(function, operation, op, ty))
        } else if is_elementwise {
            self.common(&operation.operands)
        } else {
            None
        };
        let is_repeated = axes.as_ref().is_some_and(|axes| !axes.is_empty());
        self.axes.extend(axes.map(|axes| (result, axes)));
        is_repeated
    }

    /// The axes along which all of some values are the same.
    fn common(&self, values: &[ValueId]) -> Option<BTreeSet<usize>> {
        let mut all = values.iter().map(|value| self.axes.get(value).cloned());
        let first = all.next()??;
        all.try_fold(first, |common, axes| Some(&common & &axes?))
    }
}

/// The axes of a broadcast with more than one place that its operand has not.
fn repeated_axes(
    function: &Function,
    operation: &Operation,
    op: &Broadcast,
    ty: &TensorType,
) -> BTreeSet<usize> {
    let operand = operation.operands.first().and_then(|it| function.ty(*it));
    let is_read = |axis: usize| {
        let position = op.axes.iter().position(|place| *place == axis);
        let dim = position.and_then(|it| operand?.shape.dims().get(it));
        dim.is_some_and(|dim| !dim.is_one())
    };
    let dims = ty.shape.dims().iter().enumerate();
    let repeated = dims.filter(|(axis, dim)| !dim.is_one() && !is_read(*axis));
    repeated.map(|(axis, _)| axis).collect()
}
