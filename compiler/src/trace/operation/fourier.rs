use super::{
    super::{
        statics::{Static, StaticType},
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall, chirp,
    formula::formula,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::op::{Fourier, Op, Slice, Transpose, UnaryOp};
use iree_dsl_library::complex::conj;

type Result = Option<Value>;

pub(super) fn fft(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along_last(tracer, &call, Fourier::Forward)
}

pub(super) fn ifft(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along_last(tracer, &call, Fourier::Inverse)
}

fn along_last(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, op: Fourier) -> Result {
    let operand = complex(tracer, call)?;
    transform(tracer, &operand, op, call).map(Value::from)
}

pub(super) fn fft_along(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along_axes(tracer, &call, Fourier::Forward)
}

pub(super) fn ifft_along(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along_axes(tracer, &call, Fourier::Inverse)
}

/// One axis after the other, each as the last one.
fn along_axes(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, op: Fourier) -> Result {
    let mut result = complex(tracer, call)?;
    let rank = result.ty.shape.rank();
    let axes = match call.option("axes") {
        Some(axes) => tracer.axes(axes, rank, call.name)?,
        None => (0..rank).collect(),
    };
    for axis in axes {
        let turned = swapped_with_last(tracer, &result, axis, call)?;
        let turned = transform(tracer, &turned, op, call)?;
        result = swapped_with_last(tracer, &turned, axis, call)?;
    }
    Some(result.into())
}

fn swapped_with_last(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    axis: usize,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let last = operand.ty.shape.rank() - 1;
    if axis == last {
        return Some(operand.clone());
    }
    let mut permutation: Vec<_> = (0..=last).collect();
    permutation.swap(axis, last);
    let op = Op::Transpose(Transpose { permutation });
    tracer.emit_checked(op, &[operand], call.name, call.span)
}

/// The frequencies from 0 to half the length; those behind are their mirror image.
pub(super) fn rfft(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let (operand, span) = call.argument(0)?;
    let operand = tracer.tensor(operand, call.name, span)?;
    if operand.ty.dtype.is_complex() {
        let message = format!("`{}` takes real numbers, found `{}`", call.name, operand.ty);
        let diagnostic = Diagnostic::new(Code::DTypeMismatch, call.span, message);
        return Some(
            tracer.report(diagnostic.help("complex numbers are transformed with `fft()`")),
        );
    }
    let operand = complex(tracer, &call)?;
    let result = transform(tracer, &operand, Fourier::Forward, &call)?;
    let half = length(&result)?.over(2)?.plus(&Extent::from(1))?;
    part(tracer, &result, [Extent::from(0), half], &call).map(Value::from)
}

/// The real numbers that have these first frequencies; those behind are their mirror image.
pub(super) fn irfft(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = complex(tracer, &call)?;
    check_length(tracer, &operand.ty, &call)?;
    let (one, two) = (Extent::from(1), Extent::from(2));
    let length = match call.argument(1) {
        Some((length, span)) => tracer.value_as_extent(&length, span, "the length")?,
        None => length(&operand)?.minus(&one)?.times(&two)?,
    };
    if !tracer.require_order(&one, &length) {
        let message = format!("`{}` to no elements has no value", call.name);
        return Some(tracer.error(Code::ShapeMismatch, call.span, message));
    }
    let wanted = length.over(2)?.plus(&one)?;
    let half = resized(tracer, &operand, &wanted, &call)?;
    // Neither the first frequency nor, of an even length, the last has a mirror image.
    let behind = length.minus(&wanted)?.plus(&one)?;
    let mirrored = part(tracer, &half, [one, behind], &call)?;
    let emit = |tracer: &mut Tracer<'_>, op, operands: &[&Tensor]| {
        tracer.emit_checked(op, operands, call.name, call.span)
    };
    let axis = half.ty.shape.rank() - 1;
    let mirrored = emit(tracer, Op::Reverse(vec![axis]), &[&mirrored])?;
    let mirrored = formula(tracer, &call, [&mirrored], |[x]| conj(&x))?;
    let whole = emit(tracer, Op::Concatenate(axis), &[&half, &mirrored])?;
    let result = transform(tracer, &whole, Fourier::Inverse, &call)?;
    emit(tracer, Op::Unary(UnaryOp::Real), &[&result]).map(Value::from)
}

/// The size along the last axis.
fn length(operand: &Tensor) -> Option<Extent> {
    operand.ty.shape.dims().last()?.extent()
}

/// The first so many elements along the last axis, with zeros where there are too few.
fn resized(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    wanted: &Extent,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let missing = wanted.minus(&length(operand)?)?;
    let is_known = |holds: fn(&i128) -> bool| missing.known().is_some_and(|number| holds(&number));
    let long = match is_known(|missing| *missing <= 0) {
        true => operand.clone(),
        false => {
            // If it is not known how many are missing, there are as many as there could be.
            let zeros = if is_known(|_| true) { &missing } else { wanted };
            let mut dims = operand.ty.shape.dims().to_vec();
            *dims.last_mut()? = Dim::from_extent(zeros.clone())?;
            let (dtype, shape) = (operand.ty.dtype, Shape::new(dims));
            let zeros = tracer.constant(Static::integer(0), dtype, &shape, call.span)?;
            let op = Op::Concatenate(shape.rank() - 1);
            tracer.emit_checked(op, &[operand, &zeros], call.name, call.span)?
        }
    };
    part(tracer, &long, [Extent::from(0), wanted.clone()], call)
}

/// The elements from one place to before another along the last axis.
fn part(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    [from, to]: [Extent; 2],
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let limit = operand.ty.shape.extents()?;
    let mut op = Slice {
        start: vec![Extent::from(0); limit.len()],
        stride: vec![1; limit.len()],
        limit,
    };
    *op.start.last_mut()? = from;
    *op.limit.last_mut()? = to;
    tracer.emit_checked(Op::Slice(op), &[operand], call.name, call.span)
}

/// The operand as complex numbers.
fn complex(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Tensor> {
    let operand = call.tensor(tracer, 0)?;
    let dtype = match operand.ty.dtype {
        DType::C64 | DType::C128 => return Some(operand),
        DType::F64 => DType::C128,
        DType::F32 => DType::C64,
        _ => {
            let message = format!("`{}` is not defined for `{}`", call.name, operand.ty);
            let diagnostic = Diagnostic::new(Code::DTypeMismatch, call.span, message);
            tracer.report(diagnostic.help("convert it, for example `as f32`"));
            return None;
        }
    };
    let value = tracer.cast_value(operand.into(), StaticType::Element(dtype), call.span);
    tracer.tensor(value, call.name, call.span)
}

fn transform(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    op: Fourier,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    check_length(tracer, &operand.ty, call)?;
    match length(operand)?.known() {
        Some(_) => tracer.emit_checked(Op::Fourier(op), &[operand], call.name, call.span),
        None => chirp::transform(tracer, operand, op, call),
    }
}

/// Refuses what has no length. One that is not known must be at least 1 at the call.
fn check_length(tracer: &mut Tracer<'_>, ty: &TensorType, call: &OperationCall<'_>) -> Option<()> {
    let message = match ty.shape.dims().last() {
        Some(dim) if tracer.require_order(&Extent::from(1), &dim.extent()?) => return Some(()),
        Some(_) => format!("`{}` of no elements has no value", call.name),
        None => format!("`{}` transforms along an axis, found a scalar", call.name),
    };
    tracer.error(Code::ShapeMismatch, call.span, message);
    None
}
