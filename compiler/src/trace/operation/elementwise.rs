use super::{
    super::{
        statics::StaticError,
        tracer::Tracer,
        value::{Value, ValueLeaf},
    },
    OperationCall,
};
use crate::op::{BinaryOp, Op, UnaryOp};

type Result = Option<Value>;

pub(super) fn abs(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    unary(tracer, call, UnaryOp::Abs, f64::abs)
}

pub(super) fn exp(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    unary(tracer, call, UnaryOp::Exp, f64::exp)
}

pub(super) fn ln(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    unary(tracer, call, UnaryOp::Ln, f64::ln)
}

pub(super) fn sqrt(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    unary(tracer, call, UnaryOp::Sqrt, f64::sqrt)
}

pub(super) fn tanh(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    unary(tracer, call, UnaryOp::Tanh, f64::tanh)
}

/// A function of a tensor, or of a number known while building.
fn unary(
    tracer: &mut Tracer<'_>,
    call: OperationCall<'_>,
    op: UnaryOp,
    of_static: fn(f64) -> f64,
) -> Result {
    let (value, span) = call.argument(0)?;
    if let Value::Leaf(ValueLeaf::Static(number)) = value {
        return match number.real_function(of_static) {
            Ok(number) => Some(number.into()),
            Err(error @ StaticError::Undefined(_)) => {
                Some(tracer.static_error(error, &format!("`{}`", call.name), call.span))
            }
            Err(error) => Some(tracer.static_error(error, &format!("`{}`", call.name), span)),
        };
    }
    let operand = call.tensor(tracer, 0)?;
    Some(tracer.emit_named(Op::Unary(op), &[&operand], call.name, call.span))
}

pub(super) fn maximum(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    binary(tracer, call, BinaryOp::Maximum)
}

pub(super) fn minimum(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    binary(tracer, call, BinaryOp::Minimum)
}

fn binary(tracer: &mut Tracer<'_>, call: OperationCall<'_>, op: BinaryOp) -> Result {
    let operands = [call.argument(0)?, call.argument(1)?];
    Some(tracer.elementwise(Op::Binary(op), operands, call.name, call.span))
}

pub(super) fn select(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let mask = call.tensor(tracer, 0)?;
    let choices = [call.argument(1)?, call.argument(2)?];
    let [on_true, on_false] = tracer.same_dtype(choices, call.name, call.span)?;
    if mask.ty.dtype != iree_abi::DType::Bool {
        let message = format!("the mask of `select` must be `bool`, found `{}`", mask.ty);
        let (_, span) = call.argument(0)?;
        return Some(tracer.error(crate::diagnostic::Code::DTypeMismatch, span, message));
    }
    let operands = tracer.broadcast(vec![mask, on_true, on_false], call.name, call.span)?;
    let operands: Vec<_> = operands.iter().collect();
    Some(tracer.emit_named(Op::Select, &operands, call.name, call.span))
}
