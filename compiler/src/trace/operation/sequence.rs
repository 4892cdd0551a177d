//! Numbers at equal distances.

use super::{
    super::{
        tracer::Tracer,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall, build,
    formula::formula,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::TensorType;
use iree_dsl_ir::op::{InferError, Iota, Op};
use iree_dsl_library::sequence as library;

type Result = Option<Value>;

pub(super) fn arange(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let ty = one_axis(tracer, &call)?;
    Some(tracer.emit_named(Op::Iota(Iota { ty, axis: 0 }), &[], call.name, call.span))
}

pub(super) fn linspace(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let ty = one_axis(tracer, &call)?;
    if !ty.dtype.is_float() {
        let (operation, dtype) = (call.name, ty.dtype);
        let error = InferError::DType { operation, dtype };
        return Some(tracer.infer_error(&error, call.name, call.span));
    }
    let ends = [end(tracer, &call, &ty, 0)?, end(tracer, &call, &ty, 1)?];
    let result = formula(tracer, &call, ends.each_ref(), |[first, last]| {
        library::linspace(&first, &last)
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
