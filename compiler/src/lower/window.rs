use super::{
    contract::accumulator,
    convert,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    pad::{self, Filling},
    reduce, slice, types,
};
use iree_abi::TensorType;
use iree_dialects::{attributes, prelude::*, stablehlo};
use iree_dsl_ir::{
    Scalar, limits,
    op::{Op, Pad, ReduceKind, ReduceWindow, WindowStep},
};

/// Sums of 16-bit numbers are kept as `f32` and rounded at the end.
pub(super) fn lower_reduction<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &ReduceWindow,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let narrow = operand.dtype();
    let kind = op.kind.reduction();
    let dtype = match kind {
        ReduceKind::Sum | ReduceKind::Product => accumulator(narrow),
        _ => narrow,
    };
    if !types::has_elements(&operand.ty) {
        return emitter.splat(limits::identity(kind, narrow), ty);
    }
    if narrow.is_complex() {
        // IREE cannot fill what is around complex numbers.
        let part = types::with_dtype(ty, narrow.real());
        let re = reduce_windows(emitter, op, &emitter.real(operand)?, &part)?;
        let im = reduce_windows(emitter, op, &emitter.imag(operand)?, &part)?;
        return emitter.complex(&re, &im, narrow);
    }
    if dtype == narrow {
        return reduce_windows(emitter, op, operand, ty);
    }
    let operand = emitter.convert(operand, dtype)?;
    let result = reduce_windows(emitter, op, &operand, &types::with_dtype(ty, dtype))?;
    convert::lower(emitter, narrow, &result)
}

fn reduce_windows<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &ReduceWindow,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if operand.ty.shape.known().is_none() {
        return combine_slices(emitter, op, operand);
    }
    let element = types::scalar(operand.dtype());
    let kind = op.kind.reduction();
    let init = emitter.splat(limits::identity(kind, operand.dtype()), &element)?;
    let body = emitter.reducer(&element, |emitter, lhs, rhs| {
        reduce::combine(emitter, kind, lhs, rhs)
    })?;
    let list = |of: fn(&WindowStep) -> usize| list(emitter, &op.steps, of);
    let results = stablehlo::ReduceWindowOperation::builder(emitter.context, emitter.location)
        .inputs(&[operand.value])
        .init_values(&[init.value])
        .window_dimensions(emitter.axes(&op.sizes))
        .window_strides(list(|step| step.stride))
        .base_dilations(list(|step| step.input_dilation))
        .window_dilations(list(|step| step.dilation))
        .padding(padding(emitter, &op.steps)?)
        .body(body)
        .results(&[emitter.tensor_type(ty)?])
        .append_to(&emitter.block)?
        .results()?;
    let value = results.first().copied();
    let value = value.ok_or(LowerCause::Lost("the result of a reduction"))?;
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}

/// Combines slices with one element of each window, along one axis after the other: IREE 3.13 does not
/// reduce windows of a tensor whose size it does not know.
/// Defect `windows-of-unknown-sizes`.
fn combine_slices<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &ReduceWindow,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let kind = op.kind.reduction();
    let identity = limits::identity(kind, operand.dtype());
    let mut combined = padded(emitter, &op.steps, operand, identity)?;
    for (axis, (size, step)) in op.sizes.iter().zip(&op.steps).enumerate() {
        let mut result: Option<Tensor<'c, 'b>> = None;
        for element in 0..*size {
            let part = element_of_windows(emitter, step, &combined, (axis, *size), element)?;
            result = Some(match result {
                None => part,
                Some(before) => reduce::combine(emitter, kind, &before, &part)?,
            });
        }
        combined = result.ok_or(LowerCause::Lost("a window"))?;
    }
    Ok(combined)
}

/// A tensor with what the steps of windows put around and between its elements.
pub(super) fn padded<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    steps: &[WindowStep],
    operand: &Tensor<'c, 'b>,
    value: Scalar,
) -> Result<Tensor<'c, 'b>> {
    let filling = emitter.splat(value, &types::scalar(operand.dtype()))?;
    let filling = Filling {
        value: &filling,
        is_zero: value == Scalar::Integer(0),
    };
    let pad = Pad {
        low: steps.iter().map(|step| step.padding.0).collect(),
        high: steps.iter().map(|step| step.padding.1).collect(),
        interior: steps.iter().map(|step| step.input_dilation - 1).collect(),
    };
    let of = [&operand.ty, &filling.value.ty];
    let ty = inferred(&Op::Pad(pad.clone()), &of)?;
    match pad.cut(&operand.ty.shape) {
        None => pad::lower(emitter, &pad, operand, filling, &ty),
        Some((whole, part)) => {
            let whole_ty = inferred(&Op::Pad(whole.clone()), &of)?;
            let whole = pad::lower(emitter, &whole, operand, filling, &whole_ty)?;
            slice::lower(emitter, &part, &whole, &ty)
        }
    }
}

/// One element of each window of a size along an axis.
pub(super) fn element_of_windows<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    step: &WindowStep,
    operand: &Tensor<'c, 'b>,
    (axis, size): (usize, usize),
    element: usize,
) -> Result<Tensor<'c, 'b>> {
    let slice = step.slice(&operand.ty, axis, size, element);
    let slice = slice.ok_or(LowerCause::Lost("a window"))?;
    let ty = inferred(&Op::Slice(slice.clone()), &[&operand.ty])?;
    slice::lower(emitter, &slice, operand, &ty)
}

pub(super) fn inferred(op: &Op, operands: &[&TensorType]) -> Result<TensorType> {
    let operands: Vec<_> = operands.iter().map(|ty| (*ty).clone()).collect();
    let results = op.infer(&operands, &[]).unwrap_or_default();
    let result = results.into_iter().next();
    result.ok_or(LowerCause::Lost("the type of a part"))
}

pub(super) fn list<'c>(
    emitter: &Emitter<'c, '_>,
    steps: &[WindowStep],
    of: fn(&WindowStep) -> usize,
) -> DenseI64ArrayAttribute<'c> {
    let numbers: Vec<_> = steps.iter().map(of).collect();
    emitter.axes(&numbers)
}

pub(super) fn padding<'c>(
    emitter: &Emitter<'c, '_>,
    steps: &[WindowStep],
) -> Result<DenseElementsAttribute<'c>> {
    let pairs: Vec<_> = steps
        .iter()
        .map(|step| [step.padding.0, step.padding.1])
        .collect();
    Ok(attributes::pairs(emitter.context, &pairs)?)
}
