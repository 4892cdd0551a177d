use super::{
    emit::{Emitter, Result, Tensor},
    types,
};
use iree_abi::{DType, TensorType};
use iree_dialects::{prelude::*, stablehlo};
use iree_dsl_ir::{Scalar, op::Pad};

/// What is put around and between elements.
#[derive(Clone, Copy)]
pub(super) struct Filling<'t, 'c, 'b> {
    /// The element.
    pub(super) value: &'t Tensor<'c, 'b>,
    /// Whether that is known to be zero.
    pub(super) is_zero: bool,
}

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Pad,
    operand: &Tensor<'c, 'b>,
    filling: Filling<'_, 'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let Filling { value, is_zero } = filling;
    if !types::has_elements(&operand.ty) {
        return emitter.broadcast(value, &ty.shape, &[]);
    }
    let by_dispatch = ty.dtype.size() == FILLED_BY_DISPATCH && !is_zero;
    match ty.dtype {
        DType::C64 | DType::C128 => return lower_parts(emitter, op, (operand, filling), ty),
        _ if by_dispatch => return lower_bits(emitter, op, (operand, value), ty),
        _ => {}
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

/// Pads both parts. IREE cannot fill memory with elements of 128 bits, and knows no complex number, not even zero: it fills memory
/// with one by a dispatch, and takes what it filled for two paddings that are changed in place.
fn lower_parts<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Pad,
    (operand, filling): (&Tensor<'c, 'b>, Filling<'_, 'c, 'b>),
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let Filling { value, is_zero } = filling;
    let part = types::with_dtype(ty, ty.dtype.real());
    let pad = |operand: &Tensor<'c, 'b>, value: &Tensor<'c, 'b>| {
        lower(emitter, op, operand, Filling { value, is_zero }, &part)
    };
    let re = pad(&emitter.real(operand)?, &emitter.real(value)?)?;
    let im = pad(&emitter.imag(operand)?, &emitter.imag(value)?)?;
    emitter.complex(&re, &im, ty.dtype)
}

/// The bytes of elements that IREE 3.13 fills memory with by a dispatch. Of two such fillings that may run at a time it
/// loses one: "used resource not listed in explicit captures".
const FILLED_BY_DISPATCH: usize = 8;

/// Pads with zeros, which need no dispatch: takes the bits of the value out of those of the operand, and puts them back
/// everywhere.
fn lower_bits<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Pad,
    (operand, value): (&Tensor<'c, 'b>, &Tensor<'c, 'b>),
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let bits = |tensor: &Tensor<'c, 'b>| emitter.bitcast_convert(tensor, DType::I64);
    let (operand, value) = (bits(operand)?, bits(value)?);
    let combined = |tensor: &Tensor<'c, 'b>| {
        let everywhere = emitter.broadcast(&value, &tensor.ty.shape, &[])?;
        emitter.xor(tensor, &everywhere)
    };
    let zero = emitter.splat(Scalar::Integer(0), &value.ty)?;
    let zeros = Filling {
        value: &zero,
        is_zero: true,
    };
    let padded = types::with_dtype(ty, DType::I64);
    let padded = lower(emitter, op, &combined(&operand)?, zeros, &padded)?;
    emitter.bitcast_convert(&combined(&padded)?, ty.dtype)
}
