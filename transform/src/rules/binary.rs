use super::{Context, Dual, exactly};
use crate::{
    error::{Error, Result},
    linear::Linear,
    tape::{Input, NodeId},
};
use iree_dsl_ir::{
    ValueId,
    op::{BinaryOp, CompareOp, UnaryOp},
};

pub(super) fn tangent(
    context: &mut Context,
    op: BinaryOp,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [x, y] = exactly(operands)?;
    match op {
        BinaryOp::Add => context.add(x.tangent, y.tangent),
        BinaryOp::Subtract => subtract(context, x.tangent, y.tangent),
        BinaryOp::Complex => context.join(Linear::Complex, &[*x, *y], result).map(Some),
        BinaryOp::Divide => divide(context, x, y, result),
        BinaryOp::Multiply
        | BinaryOp::Remainder
        | BinaryOp::Power
        | BinaryOp::Atan2
        | BinaryOp::Maximum
        | BinaryOp::Minimum => scaled(context, op, x, y, result),
        // Of integers and truth values.
        BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight => Ok(None),
    }
}

fn subtract(context: &mut Context, x: Option<NodeId>, y: Option<NodeId>) -> Result<Option<NodeId>> {
    match (x, y) {
        (Some(x), Some(y)) => {
            let (ty, span) = (context.tape.ty(x)?, context.builder.span);
            let inputs = vec![Input::Node(x), Input::Node(y)];
            Ok(Some(context.tape.apply(Linear::Subtract, inputs, ty, span)))
        }
        (None, Some(y)) => context.same(Linear::Negate, y).map(Some),
        (x, None) => Ok(x),
    }
}

/// (dx - x/y dy) / y, with one division.
fn divide(context: &mut Context, x: &Dual, y: &Dual, result: ValueId) -> Result<Option<NodeId>> {
    let of_y = y.tangent.map(|tangent| context.scale(tangent, result));
    let sum = subtract(context, x.tangent, of_y.transpose()?)?;
    let quotient = sum.map(|sum| context.same(Linear::Divide(y.primal), sum));
    quotient.transpose()
}

/// The sum of each tangent times the partial derivative by its operand.
fn scaled(
    context: &mut Context,
    op: BinaryOp,
    x: &Dual,
    y: &Dual,
    result: ValueId,
) -> Result<Option<NodeId>> {
    let mut sum = None;
    for (position, dual) in [x, y].into_iter().enumerate() {
        if let Some(tangent) = dual.tangent {
            let (x, y) = (x.primal, y.primal);
            let part = match partial(context, op, position, x, y, result)? {
                Some(factor) => context.scale(tangent, factor)?,
                None => tangent,
            };
            sum = context.add(sum, Some(part))?;
        }
    }
    Ok(sum)
}

/// The derivative by one operand, `None` for 1.
fn partial(
    context: &mut Context,
    op: BinaryOp,
    position: usize,
    x: ValueId,
    y: ValueId,
    result: ValueId,
) -> Result<Option<ValueId>> {
    let builder = &mut context.builder;
    Ok(Some(match (op, position) {
        (BinaryOp::Multiply, 0) => y,
        (BinaryOp::Multiply, _) => x,
        (BinaryOp::Remainder, 0) => return Ok(None),
        (BinaryOp::Remainder, _) => {
            // What was divided away is a multiple of the divisor.
            let multiple = builder.subtract(x, result)?;
            let quotient = builder.divide(multiple, y)?;
            let quotient = builder.unary(UnaryOp::RoundTiesEven, quotient)?;
            builder.negate(quotient)?
        }
        (BinaryOp::Power, 0) => {
            let is_zero = builder.is(y, CompareOp::Equal, 0.0)?;
            let (zeros, ones) = (builder.splat_like(0.0, y)?, builder.splat_like(1.0, y)?);
            let exponent = builder.plus(y, -1.0)?;
            let exponent = builder.select(is_zero, ones, exponent)?;
            let power = builder.binary(BinaryOp::Power, x, exponent)?;
            let factor = builder.multiply(y, power)?;
            builder.select(is_zero, zeros, factor)?
        }
        (BinaryOp::Power, _) => {
            let is_zero = builder.is(x, CompareOp::Equal, 0.0)?;
            let ones = builder.splat_like(1.0, x)?;
            let base = builder.select(is_zero, ones, x)?;
            let logarithm = builder.unary(UnaryOp::Ln, base)?;
            builder.multiply(logarithm, result)?
        }
        (BinaryOp::Atan2, position) => {
            let (xx, yy) = (builder.multiply(x, x)?, builder.multiply(y, y)?);
            let square = builder.add(xx, yy)?;
            let over = if position == 0 { y } else { builder.negate(x)? };
            builder.divide(over, square)?
        }
        // ½ at ties.
        (BinaryOp::Maximum | BinaryOp::Minimum, position) => {
            let (own, other) = if position == 0 { (x, y) } else { (y, x) };
            let dtype = builder.ty(x)?.dtype;
            let reaches = builder.compare(CompareOp::Equal, own, result)?;
            let reaches = builder.convert(reaches, dtype)?;
            let tie = builder.compare(CompareOp::Equal, other, result)?;
            let tie = builder.convert(tie, dtype)?;
            let count = builder.plus(tie, 1.0)?;
            builder.divide(reaches, count)?
        }
        (
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Divide
            | BinaryOp::Complex
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight,
            _,
        ) => return Err(Error::Lost("a partial derivative")),
    }))
}
