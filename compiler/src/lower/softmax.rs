//! How softmax stays what it is written as.
//!
//! IREE 3.13 takes `e / sum(e)` with `e = exp(x - max(x))` for one operation of its own. A dispatch around that one can
//! hand back nothing else that is computed in it, such as `x`, if something else reads it, and is refused then. Written
//! out, all of it is one dispatch still, which takes as long.
//! Defect `softmax-with-other-results`.

use super::emit::{Emitter, Result, Tensor};
use iree_dsl_ir::{
    Function, ValueId,
    op::{Op, ReduceKind, Structure, UnaryOp},
};
use std::collections::BTreeSet;

/// The values of a function that repeat the largest number along an axis.
pub(super) fn repeated_maxima(function: &Function) -> BTreeSet<ValueId> {
    let mut maxima: BTreeSet<ValueId> = BTreeSet::new();
    for (_, operation) in function.operations.iter() {
        let op = &operation.op;
        let is_maximum = matches!(op, Op::Reduce(op) if op.kind == ReduceKind::Maximum);
        let repeats = matches!(
            op.structure(),
            Structure::Broadcast(_) | Structure::Reshape(_)
        ) || *op == Op::Unary(UnaryOp::Barrier);
        let mut operands = operation.operands.iter();
        if is_maximum || repeats && operands.all(|id| maxima.contains(id)) {
            maxima.extend(&operation.results);
        }
    }
    maxima
}

/// `lhs - maximum`, which IREE does not find in a softmax.
pub(super) fn subtract<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    lhs: &Tensor<'c, 'b>,
    maximum: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    emitter.add(lhs, &emitter.negate(maximum)?)
}
