use super::{Context, Dual, exactly};
use crate::{error::Result, linear::Linear, tape::NodeId};
use iree_dsl_ir::{ValueId, op::DotGeneral};

/// A contraction with each operand kept.
pub(super) fn tangent(
    context: &mut Context,
    op: &DotGeneral,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [lhs, rhs] = exactly(operands)?;
    let ty = context.builder.ty(result)?;
    let left = Linear::DotLeft {
        op: op.clone(),
        rhs: rhs.primal,
    };
    let right = Linear::DotRight {
        op: op.clone(),
        lhs: lhs.primal,
    };
    let left = lhs
        .tangent
        .map(|tangent| context.apply(left, tangent, ty.clone()));
    let right = rhs.tangent.map(|tangent| context.apply(right, tangent, ty));
    context.add(left, right)
}
