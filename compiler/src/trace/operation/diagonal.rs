//! What depends on the diagonal of the last two axes.

use super::{
    super::{
        statics::{Static, StaticType},
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall, build,
};
use crate::diagnostic::Code;
use iree_abi::{DType, Shape, TensorType};
use iree_dsl_ir::op::{BinaryOp, CompareOp, Iota, Op};

type Result = Option<Value>;

pub(super) fn eye(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let ty = build::one_type(tracer, &call)?;
    let on_diagonal = compare(tracer, &call, &ty.shape, CompareOp::Equal, 0)?;
    Some(tracer.cast_value(on_diagonal.into(), StaticType::Element(ty.dtype), call.span))
}

pub(super) fn tri_lower(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    keep(tracer, &call, CompareOp::GreaterEqual)
}

pub(super) fn tri_upper(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    keep(tracer, &call, CompareOp::LessEqual)
}

/// Zero where the row is not in the relation to the column.
fn keep(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, relation: CompareOp) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let distance = match call.argument(1) {
        Some(distance) => tracer.integer(distance, call.name)?,
        None => 0,
    };
    let kept = compare(tracer, call, &operand.ty.shape, relation, distance)?;
    let (dtype, shape) = (operand.ty.dtype, &operand.ty.shape);
    let zero = match dtype {
        DType::Bool => Static::bool(false),
        _ => Static::integer(0),
    };
    let zero = tracer.constant(zero, dtype, shape, call.span)?;
    let operands = [&kept, &operand, &zero];
    Some(tracer.emit_named(Op::Select, &operands, call.name, call.span))
}

/// Compares the row, moved down by a distance, with the column.
fn compare(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    shape: &Shape,
    relation: CompareOp,
    distance: i128,
) -> Option<Tensor> {
    let (name, span) = (call.name, call.span);
    let Some(row) = shape.rank().checked_sub(2) else {
        let message = format!("`{name}` needs two axes, found `{shape}`");
        tracer.error(Code::ShapeMismatch, span, message);
        return None;
    };
    let ty = TensorType::new(DType::I32, shape.clone());
    let mut index = |axis| {
        let ty = ty.clone();
        tracer.emit_checked(Op::Iota(Iota { ty, axis }), &[], name, span)
    };
    let (mut rows, columns) = (index(row)?, index(row + 1)?);
    if distance != 0 {
        let distance = tracer.constant(Static::integer(distance), DType::I32, shape, span)?;
        let add = Op::Binary(BinaryOp::Add);
        rows = tracer.emit_checked(add, &[&rows, &distance], name, span)?;
    }
    tracer.emit_checked(Op::Compare(relation), &[&rows, &columns], name, span)
}
