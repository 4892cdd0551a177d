use super::{
    emit::{Emitter, Result, Tensor},
    global, opaque, types,
};
use iree_abi::{DType, Shape, TensorType};
use iree_dialects::stablehlo;
use iree_dsl_ir::op::{Broadcast, Transpose};

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

pub(super) fn lower_reverse<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    axes: &[usize],
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    if axes.is_empty() {
        // IREE cannot reverse a scalar.
        return Ok(operand.clone());
    }
    // IREE cannot look up single elements of integers without a sign, which is what it makes of this.
    let stored = global::cast(emitter, operand.clone(), &types::stored(&operand.ty))?;
    // Nor those of a part of a tensor of truth values.
    let stored = match operand.dtype() {
        DType::Bool => opaque::unfused(emitter, &stored)?,
        _ => stored,
    };
    let value = stablehlo::ReverseOperation::builder(emitter.context, emitter.location)
        .operand(stored.value)
        .dimensions(emitter.axes(axes))
        .append_to(&emitter.block)?
        .result()?;
    let reversed = Tensor {
        value,
        ty: stored.ty,
    };
    global::cast(emitter, reversed, &operand.ty)
}
