//! Operations that compute each number of the result from the numbers at the same place.

pub(super) mod power;

use super::{
    super::{
        statics::StaticError,
        tracer::Tracer,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    formula::{Term, formula},
};
use crate::{diagnostic::Code, span::SpanId};
use iree_abi::DType;
use iree_dsl_ir::{
    Scalar,
    op::{BinaryOp, Op},
};

type Result = Option<Value>;

/// A composite of one tensor, with the function of numbers known while building, where Rust has one.
pub(super) fn composite(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    run: impl for<'x> FnOnce(&Term<'x>) -> Term<'x>,
    of_static: Option<fn(f64) -> f64>,
) -> Result {
    let number = of_static.and_then(|function| self::of_static(tracer, call, function));
    if number.is_some() {
        return number;
    }
    let operand = call.tensor(tracer, 0)?;
    let result = formula(tracer, call, [&operand], |[x]| run(&x))?;
    Some(result.into())
}

/// A composite of several tensors, which get one element type and shape.
pub(super) fn composite_of<const N: usize>(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    run: impl for<'x> FnOnce([&Term<'x>; N]) -> Term<'x>,
) -> Result {
    let operands: [Tensor; N] = operands(tracer, call)?;
    let result = formula(tracer, call, operands.each_ref(), |terms| {
        run(terms.each_ref())
    })?;
    Some(result.into())
}

/// A function of a number known while building; nothing if it is not one.
fn of_static(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    function: fn(f64) -> f64,
) -> Option<Value> {
    let (value, span) = call.argument(0)?;
    let Value::Leaf(ValueLeaf::Static(number)) = value else {
        return None;
    };
    let what = format!("`{}`", call.name);
    Some(match number.real_function(function) {
        Ok(number) => number.into(),
        Err(error @ StaticError::Undefined(_)) => tracer.static_error(error, &what, call.span),
        Err(error) => tracer.static_error(error, &what, span),
    })
}

/// Defines operations of two operands that are one of the representation.
macro_rules! binary {
    ($($name:ident: $op:ident;)+) => {
        $(pub(super) fn $name(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
            let operands = [call.argument(0)?, call.argument(1)?];
            Some(tracer.elementwise(Op::Binary(BinaryOp::$op), operands, call.name, call.span))
        })+
    };
}

binary! {
    maximum: Maximum;
    minimum: Minimum;
    atan2: Atan2;
}

pub(super) fn complex_of_parts(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let parts = [call.argument(0)?, call.argument(1)?];
    let deferred = tracer.defer_complex(parts.each_ref(), call.span);
    Some(deferred.unwrap_or_else(|| {
        tracer.elementwise(Op::Binary(BinaryOp::Complex), parts, call.name, call.span)
    }))
}

pub(super) fn select(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    if let (Value::Leaf(ValueLeaf::Static(known)), _) = call.argument(0)?
        && let Scalar::Bool(holds) = known.value
    {
        return chosen(tracer, holds, &call);
    }
    let choices = [call.argument(1)?, call.argument(2)?];
    let mask = mask(tracer, &call, &choices)?;
    let choices = tracer.build_beside(choices, &[&mask.ty.shape])?;
    let [on_true, on_false] = tracer.same_dtype(choices, call.name, call.span)?;
    if mask.ty.dtype != DType::Bool {
        let message = format!("the mask of `select` must be `bool`, found `{}`", mask.ty);
        let (_, span) = call.argument(0)?;
        return Some(tracer.error(Code::DTypeMismatch, span, message));
    }
    let operands = tracer.broadcast(vec![mask, on_true, on_false], call.name, call.span)?;
    let operands: Vec<_> = operands.iter().collect();
    Some(tracer.emit_named(Op::Select, &operands, call.name, call.span))
}

/// One of both, in the shape that they have together.
fn chosen(tracer: &mut Tracer<'_>, first: bool, call: &OperationCall<'_>) -> Result {
    let choices = [call.argument(1)?, call.argument(2)?];
    let choices = tracer.build_beside(choices, &[])?;
    let [on_true, on_false] = tracer.same_dtype(choices, call.name, call.span)?;
    let choices = tracer.broadcast(vec![on_true, on_false], call.name, call.span)?;
    let [on_true, on_false] = choices.try_into().ok()?;
    Some(if first { on_true } else { on_false }.into())
}

/// The mask of `select`, of the shape of the choices if it has none of its own.
fn mask(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    choices: &[(Value, SpanId)],
) -> Option<Tensor> {
    let mask = call.argument(0)?;
    let shapes = choices.iter().filter_map(|(value, _)| match value {
        Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(&tensor.ty.shape),
        _ => None,
    });
    let shapes: Vec<_> = shapes.collect();
    let [(mask, span)] = tracer.build_beside([mask], &shapes)?;
    tracer.tensor(mask, call.name, span)
}

/// The operands of an operation, of one element type and shape.
fn operands<const N: usize>(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
) -> Option<[Tensor; N]> {
    let arguments: Vec<_> = (0..N)
        .map_while(|position| call.argument(position))
        .collect();
    let arguments: [_; N] = arguments.try_into().ok()?;
    let arguments = tracer.build_beside(arguments, &[])?;
    let operands = tracer.same_dtype::<N>(arguments, call.name, call.span)?;
    let operands = tracer.broadcast(operands.into(), call.name, call.span)?;
    operands.try_into().ok()
}
