use super::{
    emit::{Emitter, Result, Tensor},
    types,
};
use crate::op::{DynamicSlice, Slice};
use iree_abi::TensorType;
use iree_dialects::{prelude::*, stablehlo};

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Slice,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let value = stablehlo::SliceOperation::builder(emitter.context, emitter.location)
        .operand(operand.value)
        .start_indices(emitter.axes(&op.start))
        .limit_indices(emitter.axes(&op.limit))
        .strides(emitter.axes(&op.stride))
        .result(emitter.tensor_type(ty)?)
        .append_to(&emitter.block)?
        .result()?;
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}

pub(super) fn lower_dynamic<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DynamicSlice,
    operand: &Tensor<'c, 'b>,
    starts: &[Tensor<'c, 'b>],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if starts.is_empty() {
        // The window of a scalar is the scalar; IREE crashes on it.
        return Ok(operand.clone());
    }
    let starts: Vec<_> = starts.iter().map(|start| start.value).collect();
    let value = stablehlo::DynamicSliceOperation::builder(emitter.context, emitter.location)
        .operand(operand.value)
        .start_indices(&starts)
        .slice_sizes(emitter.axes(&op.sizes))
        .result(emitter.tensor_type(ty)?)
        .append_to(&emitter.block)?
        .result()?;
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}

pub(super) fn lower_dynamic_update<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
    update: &Tensor<'c, 'b>,
    starts: &[Tensor<'c, 'b>],
) -> Result<Tensor<'c, 'b>> {
    if starts.is_empty() {
        return Ok(update.clone());
    }
    if !types::has_elements(&update.ty) {
        return Ok(operand.clone());
    }
    let starts: Vec<_> = starts.iter().map(|start| start.value).collect();
    let value = stablehlo::DynamicUpdateSliceOperation::builder(emitter.context, emitter.location)
        .operand(operand.value)
        .update(update.value)
        .start_indices(&starts)
        .append_to(&emitter.block)?
        .result()?;
    let ty = operand.ty.clone();
    Ok(Tensor { value, ty })
}

pub(super) fn lower_concatenate<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    axis: usize,
    operands: &[Tensor<'c, 'b>],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let filled = operands
        .iter()
        .filter(|operand| types::has_elements(&operand.ty));
    let inputs: Vec<_> = filled.map(|operand| operand.value).collect();
    let index_type = IntegerType::new(emitter.context, 64).into();
    let value = stablehlo::ConcatenateOperation::builder(emitter.context, emitter.location)
        .inputs(&inputs)
        .dimension(IntegerAttribute::new(index_type, axis as i64))
        .result(emitter.tensor_type(ty)?)
        .append_to(&emitter.block)?
        .result()?;
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}
