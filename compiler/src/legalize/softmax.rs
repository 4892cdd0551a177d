//! How softmax stays what it is written as.
//!
//! IREE 3.13 takes `e / sum(e)` with `e = exp(x - max(x))` for one operation of its own. A dispatch around that one can
//! hand back nothing else that is computed in it, such as `x`, if something else reads it, and is refused then. Where the
//! largest number is subtracted by adding its negative, IREE does not find it, and all of it is one dispatch still, which takes as
//! long.
//! Defect `softmax-with-other-results`.

use super::{
    edits::Edits,
    program::{Program, Step, steps},
};
use iree_dsl_ir::{
    Function, ValueId,
    op::{BinaryOp, Op, ReduceKind, Structure, UnaryOp},
};
use std::collections::BTreeSet;

/// Has largest numbers subtracted by adding their negatives.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, function) in program.functions() {
        let maxima = repeated_maxima(function);
        let differences = steps(function).filter(|step| is_from_maximum(function, *step, &maxima));
        let differences = differences.map(|step| step.id);
        edits.within(id).negated.extend(differences);
    }
}

/// The values of a function that repeat the largest number along an axis.
fn repeated_maxima(function: &Function) -> BTreeSet<ValueId> {
    let mut maxima: BTreeSet<ValueId> = BTreeSet::new();
    for (_, operation) in function.operations.iter() {
        let op = &operation.op;
        let is_maximum = matches!(op, Op::Reduce(op) if op.kind == ReduceKind::Maximum);
        let repeats = matches!(
            op.structure(),
            Structure::Broadcast(_) | Structure::Reshape(_)
        ) || matches!(op, Op::Unary(UnaryOp::Barrier | UnaryOp::StopGradient));
        let mut operands = operation.operands.iter();
        if is_maximum || repeats && operands.all(|id| maxima.contains(id)) {
            maxima.extend(&operation.results);
        }
    }
    maxima
}

/// Whether an operation is the difference of real numbers from the largest of them.
fn is_from_maximum(function: &Function, step: Step<'_>, maxima: &BTreeSet<ValueId>) -> bool {
    let operands = &step.operation.operands;
    let mut types = operands.iter().map(|operand| function.ty(*operand));
    let is_float = types.all(|ty| ty.is_some_and(|ty| ty.dtype.is_float()));
    let is_maximum = operands.last().is_some_and(|last| maxima.contains(last));
    step.operation.op == Op::Binary(BinaryOp::Subtract) && is_float && is_maximum
}
