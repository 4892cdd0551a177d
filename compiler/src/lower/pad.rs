use super::{
    emit::{Emitter, Result, Tensor},
    types,
};
use crate::op::Pad;
use iree_abi::{DType, TensorType};
use iree_dialects::{prelude::*, stablehlo};

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Pad,
    operand: &Tensor<'c, 'b>,
    value: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if !types::has_elements(&operand.ty) {
        return emitter.broadcast(value, &ty.shape, &[]);
    }
    if ty.dtype == DType::C128 {
        return lower_parts(emitter, op, (operand, value), ty);
    }
    let value = stablehlo::PadOperation::builder(emitter.context, emitter.location)
        .operand(operand.value)
        .padding_value(value.value)
        .edge_padding_low(DenseI64ArrayAttribute::new(emitter.context, &op.low))
        .edge_padding_high(DenseI64ArrayAttribute::new(emitter.context, &op.high))
        .interior_padding(emitter.axes(&op.interior))
        .result(emitter.tensor_type(ty)?)
        .append_to(&emitter.block)?
        .result()?;
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}

/// Pads both parts: IREE cannot fill memory with elements of 128 bits.
fn lower_parts<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Pad,
    (operand, value): (&Tensor<'c, 'b>, &Tensor<'c, 'b>),
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let part = types::with_dtype(ty, ty.dtype.real());
    let re = (emitter.real(operand)?, emitter.real(value)?);
    let im = (emitter.imag(operand)?, emitter.imag(value)?);
    let re = lower(emitter, op, &re.0, &re.1, &part)?;
    let im = lower(emitter, op, &im.0, &im.1, &part)?;
    emitter.complex(&re, &im, ty.dtype)
}
