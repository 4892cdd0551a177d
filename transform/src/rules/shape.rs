use super::{Context, Dual, exactly};
use crate::{error::Result, linear::Linear, tape::NodeId};
use iree_abi::TensorType;
use iree_dsl_ir::{
    ValueId,
    op::{Broadcast, Op, Pad},
};

/// An operation that is linear in its one operand.
pub(super) fn linear(
    context: &mut Context,
    map: Linear,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [operand] = exactly(operands)?;
    let from = context.builder.ty(operand.primal)?;
    let is_number = crate::derive::is_differentiable(from.dtype);
    let Some(tangent) = operand.tangent.filter(|_| is_number) else {
        return Ok(None);
    };
    let ty = context.builder.ty(result)?;
    Ok(Some(context.apply(map, tangent, ty)))
}

/// The same choice of the tangents.
pub(super) fn select(
    context: &mut Context,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [mask, on_true, on_false] = exactly(operands)?;
    let map = Linear::Select(mask.primal);
    context.join(map, &[*on_true, *on_false], result).map(Some)
}

/// The padded tangent, and that of the new element where it is.
pub(super) fn pad(
    context: &mut Context,
    op: &Pad,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [operand, value] = exactly(operands)?;
    let ty = context.builder.ty(result)?;
    let inner = operand.tangent;
    let inner = inner.map(|tangent| context.apply(Linear::Pad(op.clone()), tangent, ty.clone()));
    let Some(tangent) = value.tangent else {
        return Ok(inner);
    };
    let zeros = context.builder.splat_like(0.0, operand.primal)?;
    let one = context.builder.splat(1.0, &TensorType::new(ty.dtype, []))?;
    let around = context.builder.emit(Op::Pad(op.clone()), &[zeros, one])?;
    let (shape, axes) = (ty.shape.clone(), Vec::new());
    let everywhere = context.apply(Linear::Broadcast(Broadcast { shape, axes }), tangent, ty);
    let outer = context.scale(everywhere, around)?;
    context.add(inner, Some(outer))
}
