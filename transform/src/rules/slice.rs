use super::{Context, Dual};
use crate::{
    error::{Error, Result},
    linear::Linear,
    tape::NodeId,
};
use iree_dsl_ir::{ValueId, op::DynamicSlice};

pub(super) fn concatenate(
    context: &mut Context,
    axis: usize,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let map = Linear::Concatenate(axis);
    context.join(map, operands, result).map(Some)
}

/// The window at the same place.
pub(super) fn dynamic(
    context: &mut Context,
    op: &DynamicSlice,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let (operand, starts) = operands.split_first().ok_or(Error::Lost("an operand"))?;
    let ty = context.builder.ty(result)?;
    let map = Linear::DynamicSlice {
        sizes: op.sizes.clone(),
        starts: primals(starts),
    };
    let tangent = operand.tangent;
    Ok(tangent.map(|tangent| context.apply(map, tangent, ty)))
}

/// The same window replaced by that of the tangents.
pub(super) fn dynamic_update(
    context: &mut Context,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [operand, update, starts @ ..] = operands else {
        return Err(Error::Lost("an operand"));
    };
    let starts = primals(starts);
    let map = Linear::DynamicUpdate { starts };
    context.join(map, &[*operand, *update], result).map(Some)
}

pub(super) fn primals(duals: &[Dual]) -> Vec<ValueId> {
    duals.iter().map(|dual| dual.primal).collect()
}
