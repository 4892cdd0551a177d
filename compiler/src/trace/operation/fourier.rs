use super::{
    super::{
        statics::{Static, StaticType},
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
    formula::formula,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    op::{Fourier, Op, Pad, Slice, Transpose, UnaryOp},
};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};

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
    let length = result.ty.shape.dims().last().and_then(Dim::known)?;
    part(tracer, &result, [0, length / 2 + 1], &call).map(Value::from)
}

/// The real numbers that have these first frequencies; those behind are their mirror image.
pub(super) fn irfft(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = complex(tracer, &call)?;
    check_length(tracer, &operand.ty, &call)?;
    let found = operand.ty.shape.dims().last().and_then(Dim::known)?;
    let length = match call.argument(1) {
        Some((length, span)) => tracer.value_as_size(&length, span, "the length")?,
        None => 2 * (found - 1),
    };
    if length == 0 {
        let message = format!("`{}` to no elements has no value", call.name);
        return Some(tracer.error(Code::ShapeMismatch, call.span, message));
    }
    let wanted = length / 2 + 1;
    let half = resized(tracer, &operand, wanted, &call)?;
    // Neither the first frequency nor, of an even length, the last has a mirror image.
    let mirrored = part(tracer, &half, [1, length.div_ceil(2)], &call)?;
    let emit = |tracer: &mut Tracer<'_>, op, operands: &[&Tensor]| {
        tracer.emit_checked(op, operands, call.name, call.span)
    };
    let axis = half.ty.shape.rank() - 1;
    let mirrored = emit(tracer, Op::Reverse(vec![axis]), &[&mirrored])?;
    let mirrored = formula(tracer, &call, [&mirrored], |[x]| {
        x.real().with_imag(-x.imag())
    })?;
    let whole = emit(tracer, Op::Concatenate(axis), &[&half, &mirrored])?;
    let result = emit(tracer, Op::Fourier(Fourier::Inverse), &[&whole])?;
    emit(tracer, Op::Unary(UnaryOp::Real), &[&result]).map(Value::from)
}

/// The first so many elements along the last axis, with zeros where there are too few.
fn resized(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    length: usize,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let found = operand.ty.shape.dims().last().and_then(Dim::known)?;
    if length <= found {
        return part(tracer, operand, [0, length], call);
    }
    let rank = operand.ty.shape.rank();
    let mut high = vec![0; rank];
    *high.last_mut()? = i64::try_from(length - found).ok()?;
    let pad = Pad {
        low: vec![0; rank],
        high,
        interior: vec![0; rank],
    };
    let scalar = Shape::default();
    let zero = tracer.constant(Static::integer(0), operand.ty.dtype, &scalar, call.span)?;
    tracer.emit_checked(Op::Pad(pad), &[operand, &zero], call.name, call.span)
}

/// The elements from one place to before another along the last axis.
fn part(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    [from, to]: [usize; 2],
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let limit = operand.ty.shape.extents()?;
    let mut op = Slice {
        start: vec![Extent::from(0); limit.len()],
        stride: vec![1; limit.len()],
        limit,
    };
    *op.start.last_mut()? = Extent::from(from);
    *op.limit.last_mut()? = Extent::from(to);
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
    tracer.emit_checked(Op::Fourier(op), &[operand], call.name, call.span)
}

/// Refuses what has no length, or none that is known.
fn check_length(tracer: &mut Tracer<'_>, ty: &TensorType, call: &OperationCall<'_>) -> Option<()> {
    let message = match ty.shape.dims().last().map(Dim::known) {
        Some(Some(1..)) => return Some(()),
        Some(Some(0)) => format!("`{}` of no elements has no value", call.name),
        Some(None) => format!(
            "`{}` needs an axis whose size is known while building",
            call.name
        ),
        None => format!("`{}` transforms along an axis, found a scalar", call.name),
    };
    tracer.error(Code::ShapeMismatch, call.span, message);
    None
}
