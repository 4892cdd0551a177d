use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    slice, types,
    window::inferred,
};
use iree_abi::{DType, Extent, TensorType};
use iree_dialects::{prelude::*, stablehlo};
use iree_dsl_ir::op::{Op, Pad, Slice};

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
    let mut ends = op.low.iter().chain(&op.high);
    if ty.shape.known().is_none() && ends.any(|end| *end < 0) {
        return lower_cut(emitter, op, (operand, value), ty);
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

/// Adds what is added, and then takes away what is taken away: IREE does not do both to a tensor whose size it does
/// not know.
fn lower_cut<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Pad,
    (operand, value): (&Tensor<'c, 'b>, &Tensor<'c, 'b>),
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let added = |ends: &[i64]| ends.iter().map(|end| (*end).max(0)).collect();
    let whole = Pad {
        low: added(&op.low),
        high: added(&op.high),
        interior: op.interior.clone(),
    };
    let whole_ty = inferred(&Op::Pad(whole.clone()), &[&operand.ty, &value.ty])?;
    let sizes = whole_ty.shape.extents();
    let sizes = sizes.ok_or(LowerCause::Lost("a size"))?.into_iter();
    let taken = |end: &i64| Extent::constant(i128::from(*end).min(0));
    let limit = sizes
        .zip(&op.high)
        .map(|(size, end)| size.plus(&taken(end)));
    let part = Slice {
        start: (op.low.iter())
            .map(|end| Extent::constant(-(i128::from(*end).min(0))))
            .collect(),
        limit: (limit.collect::<Option<_>>()).ok_or(LowerCause::Lost("a size"))?,
        stride: vec![1; op.low.len()],
    };
    let whole = lower(emitter, &whole, operand, value, &whole_ty)?;
    slice::lower(emitter, &part, &whole, ty)
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
