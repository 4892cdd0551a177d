use super::{
    super::{
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall, chirp,
    formula::{Formula, Term, traced},
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Extent};
use iree_dsl_ir::op::Fourier;
use iree_dsl_library::fourier;

type Result = Option<Value>;

pub(super) fn fft(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along_last(tracer, &call, Fourier::Forward)
}

pub(super) fn ifft(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along_last(tracer, &call, Fourier::Inverse)
}

fn along_last(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, op: Fourier) -> Result {
    let operand = numbers(tracer, call)?;
    let last = last_axis(tracer, call, &operand)?;
    along(tracer, call, &operand, op, &[last])
}

pub(super) fn fft_along(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along_axes(tracer, &call, Fourier::Forward)
}

pub(super) fn ifft_along(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along_axes(tracer, &call, Fourier::Inverse)
}

fn along_axes(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, op: Fourier) -> Result {
    let operand = numbers(tracer, call)?;
    let rank = operand.ty.shape.rank();
    let axes = match call.option("axes") {
        Some(axes) => tracer.axes(axes, rank, call.name)?,
        None => (0..rank).collect(),
    };
    along(tracer, call, &operand, op, &axes)
}

fn along(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    operand: &Tensor,
    op: Fourier,
    axes: &[usize],
) -> Result {
    let result = traced(tracer, call, |formula| {
        let x = fourier::complex(&formula.term(operand));
        Some(fourier::along(&x, op, axes, of_any_length(formula, call)))
    });
    result.map(Value::from)
}

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
    let operand = numbers(tracer, &call)?;
    last_axis(tracer, &call, &operand)?;
    let half = traced(tracer, &call, |formula| {
        let x = fourier::complex(&formula.term(&operand));
        Some(fourier::half(&x, of_any_length(formula, &call)))
    });
    half.map(Value::from)
}

pub(super) fn irfft(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = numbers(tracer, &call)?;
    let last = last_axis(tracer, &call, &operand)?;
    let operand = traced(tracer, &call, |formula| {
        let x = fourier::complex(&formula.term(&operand));
        Some(fourier::checked(&x))
    })?;
    let (one, two) = (Extent::from(1), Extent::from(2));
    let length = match call.argument(1) {
        Some((length, span)) => tracer.value_as_extent(&length, span, "the length")?,
        None => {
            let half = operand.ty.shape.dims().get(last)?.extent()?;
            half.minus(&one)?.times(&two)?
        }
    };
    if !tracer.require_order(&one, &length) {
        let message = format!("`{}` to no elements has no value", call.name);
        return Some(tracer.error(Code::ShapeMismatch, call.span, message));
    }
    let numbers = traced(tracer, &call, |formula| {
        let x = formula.term(&operand);
        Some(fourier::of_half(&x, &length, of_any_length(formula, &call)))
    });
    numbers.map(Value::from)
}

/// Transforms lines whose length only calls tell.
fn of_any_length<'x>(
    formula: &'x Formula<'_, '_>,
    call: &OperationCall<'_>,
) -> impl FnMut(&Term<'x>, Fourier) -> Term<'x> {
    move |x, op| {
        formula.called([x.clone()], |tracer, [x]| {
            chirp::transform(tracer, &x, op, call)
        })
    }
}

/// The operand, if its numbers have transforms.
fn numbers(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Tensor> {
    let operand = call.tensor(tracer, 0)?;
    if let DType::C64 | DType::C128 | DType::F32 | DType::F64 = operand.ty.dtype {
        return Some(operand);
    }
    let message = format!("`{}` is not defined for `{}`", call.name, operand.ty);
    let diagnostic = Diagnostic::new(Code::DTypeMismatch, call.span, message);
    tracer.report(diagnostic.help("convert it, for example `as f32`"));
    None
}

/// The axis along which a tensor is transformed.
fn last_axis(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, operand: &Tensor) -> Option<usize> {
    let last = operand.ty.shape.rank().checked_sub(1);
    if last.is_none() {
        let message = format!("`{}` transforms along an axis, found a scalar", call.name);
        tracer.error(Code::ShapeMismatch, call.span, message);
    }
    last
}
