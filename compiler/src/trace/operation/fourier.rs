use super::{
    super::{
        statics::StaticType,
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    op::{Fourier, Op, Slice, Transpose},
};
use iree_abi::{DType, Dim, Extent, TensorType};

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
    let limit = result.ty.shape.extents()?;
    let mut op = Slice {
        start: vec![Extent::from(0); limit.len()],
        stride: vec![1; limit.len()],
        limit,
    };
    *op.limit.last_mut()? = Extent::from(length / 2 + 1);
    Some(tracer.emit_named(Op::Slice(op), &[&result], call.name, call.span))
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
