//! Numbers at equal distances.

use super::{
    super::{
        tracer::Tracer,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall, build,
    formula::precise,
};
use crate::{
    diagnostic::Code,
    op::{InferError, Iota, Op},
};
use iree_abi::TensorType;

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
    let size = ty.shape.dims().first().and_then(|dim| dim.known());
    let Some(size) = size else {
        let message = "`linspace` needs a size that is known while building";
        return Some(tracer.error(Code::NotStatic, call.span, message));
    };
    let steps = size.saturating_sub(1).max(1) as f64;
    let iota = Op::Iota(Iota { ty, axis: 0 });
    let index = tracer.emit_checked(iota, &[], call.name, call.span)?;
    let operands = [&first, &last, &index];
    let result = precise(tracer, &call, operands, |[first, last, index]| {
        let part = index / steps;
        first * (part.like(1.0) - &part) + last * part
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
    tracer.error(Code::ShapeMismatch, call.span, message);
    None
}
