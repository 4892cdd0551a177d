//! What is computed without reading a tensor.
//!
//! Where a tensor is needed as it was after it changes, IREE 3.13 has the change made in a copy, for which it computes
//! such a value again. Later it finds that both are computed alike, and makes them one.
//! Defect `equal-splats-share-memory`.

use super::numbers::Numbers;
use iree_dsl_ir::{
    Function, ValueId,
    op::{Effect, Op, UnaryOp},
};
use std::collections::BTreeSet;

/// The values of a function that IREE computes without reading a tensor, given which are numbers in registers.
/// Constants and what is filled with them are not computed.
pub(super) fn unread(
    function: &Function,
    numbers: &Numbers<'_>,
    is_in_register: impl Fn(ValueId) -> bool,
) -> BTreeSet<ValueId> {
    let mut known: BTreeSet<ValueId> = BTreeSet::new();
    let mut computed: BTreeSet<ValueId> = BTreeSet::new();
    for (_, operation) in function.operations.iter() {
        let mut operands = operation.operands.iter();
        let is_known = match operation.op.effect() {
            Effect::Reads(_) | Effect::Regions | Effect::CallsHost(_) | Effect::Foreign(_) => false,
            Effect::Pure | Effect::Calls(_) => {
                operands.all(|id| known.contains(id) || is_in_register(*id))
            }
            // They have no results.
            Effect::Writes(_) | Effect::Shows(_) | Effect::Checks(_) => false,
        };
        if !is_known {
            continue;
        }
        known.extend(&operation.results);
        if operation.op == Op::Unary(UnaryOp::Barrier) {
            let mut operands = operation.operands.iter();
            let is_computed = operands.any(|id| computed.contains(id));
            computed.extend(operation.results.iter().filter(|_| is_computed));
        } else if !matches!(operation.op, Op::Constant(_)) && numbers.repeated(operation).is_none()
        {
            computed.extend(&operation.results);
        }
    }
    computed
}
