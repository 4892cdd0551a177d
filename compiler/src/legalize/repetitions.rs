//! Products of what repeats a tensor.

use super::{edits::Edits, factors::is_product, program::Program};
use iree_dsl_ir::{
    Function, ValueId,
    op::{Alias, Op},
};
use std::collections::BTreeSet;

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
    for (_, operation) in function.operations.iter() {
        let op = &operation.op;
        let is_of_one = op.is_elementwise() && operation.operands.len() == 1;
        let mut operands = operation.operands.iter();
        let keeps =
            (is_of_one || op.alias() == Alias::View) && operands.all(|id| repeated.contains(id));
        if keeps || matches!(op, Op::Broadcast(_)) {
            repeated.extend(&operation.results);
        }
    }
    repeated
}
