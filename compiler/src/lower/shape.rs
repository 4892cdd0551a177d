use super::emit::{Emitter, Result, Tensor};
use crate::op::{Broadcast, Transpose};
use iree_abi::{Shape, TensorType};
use iree_dialects::stablehlo;

pub(super) fn lower_broadcast<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Broadcast,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    emitter.broadcast(operand, &op.shape, &op.axes)
}

pub(super) fn lower_reshape<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    shape: &Shape,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    emitter.reshape(operand, shape)
}

pub(super) fn lower_transpose<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Transpose,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let value = stablehlo::TransposeOperation::builder(emitter.context, emitter.location)
        .operand(operand.value)
        .permutation(emitter.axes(&op.permutation))
        .result(emitter.tensor_type(ty)?)
        .append_to(&emitter.block)?
        .result()?;
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}
