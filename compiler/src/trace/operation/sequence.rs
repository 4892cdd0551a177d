//! Numbers at equal distances.

use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall, build,
    formula::formula,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Extent, Shape, TensorType};
use iree_dsl_ir::op::{InferError, Iota, Op};

type Result = Option<Value>;

pub(super) fn arange(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let ty = one_axis(tracer, &call)?;
    Some(tracer.emit_named(Op::Iota(Iota { ty, axis: 0 }), &[], call.name, call.span))
}

/// The first number times 1 - t and the last times t, with t from 0 to 1: both are exact.
pub(super) fn linspace(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let ty = one_axis(tracer, &call)?;
    if !ty.dtype.is_float() {
        let (operation, dtype) = (call.name, ty.dtype);
        let error = InferError::DType { operation, dtype };
        return Some(tracer.infer_error(&error, call.name, call.span));
    }
    let first = end(tracer, &call, &ty, 0)?;
    let last = end(tracer, &call, &ty, 1)?;
    // Numbers of 16 bits do not count as far as tensors are long.
    let wide = match ty.dtype.size() {
        2 => DType::F32,
        _ => ty.dtype,
    };
    let steps = ty.shape.dims().first()?.extent()?;
    let steps = steps.plus(&Extent::constant(-1))?;
    let steps = match steps.known() {
        Some(steps) => {
            let steps = Static::integer(steps);
            tracer.constant(steps, wide, &Shape::default(), call.span)?
        }
        None => tracer.size_tensor(steps, wide, call.span)?,
    };
    let index = Op::Iota(Iota {
        ty: TensorType::new(wide, ty.shape),
        axis: 0,
    });
    let index = tracer.emit_checked(index, &[], call.name, call.span)?;
    let operands = [&first, &last, &index, &steps];
    let result = formula(tracer, &call, operands, |[first, last, index, steps]| {
        let part = &index / steps.max(1.0).broadcast_like(&index);
        let (first, last) = (first.convert(wide), last.convert(wide));
        let number = first * (part.like(1.0) - &part) + last * part;
        number.convert(ty.dtype)
    })?;
    Some(result.into())
}

/// A bound, everywhere.
fn end(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    ty: &TensorType,
    position: usize,
) -> Option<Tensor> {
    let value = call.argument(position)?;
    match build::fill_with(tracer, &ty.clone().into(), value, call)? {
        Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor),
        _ => None,
    }
}

fn one_axis(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<TensorType> {
    let ty = build::one_type(tracer, call)?;
    if ty.shape.rank() == 1 {
        return Some(ty);
    }
    let message = format!(
        "`{}` builds a tensor with one axis, not a `{ty}`",
        call.name
    );
    let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
    tracer.report(match ty.shape.rank() {
        0 => diagnostic.help(format!(
            "the other operand is a scalar; say how long it is: `{}::<{}, 10>()`",
            call.name, ty.dtype
        )),
        _ => diagnostic,
    });
    None
}
