use super::{Context, Dual, slice::primals};
use crate::{
    error::{Error, Reason, Result},
    linear::{Linear, inside},
    tape::NodeId,
    walk::refused,
};
use iree_abi::{DType, Shape, TensorType};
use iree_dsl_ir::{
    Operation, ValueId,
    op::{BinaryOp, CompareOp, Gather, Op, Scatter, ScatterKind},
};

pub(super) fn gather(
    context: &mut Context,
    op: &Gather,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let (operand, places) = operands.split_first().ok_or(Error::Lost("an operand"))?;
    let map = Linear::Gather {
        axes: op.axes.clone(),
        places: primals(places),
    };
    let ty = context.builder.ty(result)?;
    let tangent = operand.tangent;
    Ok(tangent.map(|tangent| context.apply(map, tangent, ty)))
}

/// The operands of a scatter.
struct Parts<'a> {
    operation: &'a Operation,
    op: &'a Scatter,
    operand: Dual,
    updates: Dual,
    places: Vec<ValueId>,
    result: ValueId,
}

pub(super) fn scatter(
    context: &mut Context,
    operation: &Operation,
    op: &Scatter,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [operand, updates, places @ ..] = operands else {
        return Err(Error::Lost("an operand"));
    };
    let parts = Parts {
        operation,
        op,
        operand: *operand,
        updates: *updates,
        places: primals(places),
        result,
    };
    match op.kind {
        ScatterKind::Add if updates.tangent.is_none() => Ok(operand.tangent),
        ScatterKind::Add => add(context, &parts, *operand, *updates).map(Some),
        ScatterKind::Replace => replace(context, &parts).map(Some),
        ScatterKind::Multiply => multiply(context, &parts),
        ScatterKind::Maximum | ScatterKind::Minimum => extremum(context, &parts).map(Some),
    }
}

fn add(context: &mut Context, parts: &Parts<'_>, operand: Dual, updates: Dual) -> Result<NodeId> {
    let map = Linear::ScatterAdd {
        axes: parts.op.axes.clone(),
        places: parts.places.clone(),
    };
    context.join(map, &[operand, updates], parts.result)
}

/// What is left of the tangent of the tensor, and the tangents of the elements, each times a factor.
fn weighted(
    context: &mut Context,
    parts: &Parts<'_>,
    left: ValueId,
    wins: ValueId,
) -> Result<NodeId> {
    let (mut operand, mut updates) = (parts.operand, parts.updates);
    if let Some(tangent) = operand.tangent {
        operand.tangent = Some(context.scale(tangent, left)?);
    }
    match updates.tangent {
        Some(tangent) => {
            updates.tangent = Some(context.scale(tangent, wins)?);
            add(context, parts, operand, updates)
        }
        None => operand.tangent.ok_or(Error::Lost("a tangent")),
    }
}

/// What is at the places of a scatter.
fn looked_up(context: &mut Context, parts: &Parts<'_>, from: ValueId) -> Result<ValueId> {
    let axes = parts.op.axes.clone();
    let operands = [&[from], parts.places.as_slice()].concat();
    context.builder.emit(Op::Gather(Gather { axes }), &operands)
}

fn combined(
    context: &mut Context,
    parts: &Parts<'_>,
    kind: ScatterKind,
    tensor: ValueId,
    elements: ValueId,
) -> Result<ValueId> {
    let axes = parts.op.axes.clone();
    let operands = [&[tensor, elements], parts.places.as_slice()].concat();
    context
        .builder
        .emit(Op::Scatter(Scatter { kind, axes }), &operands)
}

/// Which of the elements are put inside of the tensor.
fn is_inside(context: &mut Context, parts: &Parts<'_>, elements: ValueId) -> Result<ValueId> {
    let shape = context.builder.shape(parts.operand.primal)?;
    inside(
        &mut context.builder,
        &parts.op.axes,
        &parts.places,
        &shape,
        elements,
    )
}

/// The last element for a place replaces what was there: elements are numbered from 1, and the largest number wins.
fn replace(context: &mut Context, parts: &Parts<'_>) -> Result<NodeId> {
    let shape = context.builder.shape(parts.updates.primal)?;
    let count = shape.element_count().and_then(iree_abi::Dim::from_extent);
    let line = Shape::new(vec![count.ok_or(Error::Lost("a size"))?]);
    let numbers = context.builder.iota(&line, 0)?;
    let numbers = context.builder.plus(numbers, 1.0)?;
    let numbers = context.builder.reshape(numbers, &shape)?;
    let whole = context.builder.ty(parts.operand.primal)?;
    let nobody = TensorType::new(DType::I32, whole.shape);
    let nobody = context.builder.zeros(&nobody)?;
    let owners = combined(context, parts, ScatterKind::Maximum, nobody, numbers)?;
    let left = context.builder.is(owners, CompareOp::Equal, 0.0)?;
    let left = context.indicator(left, whole.dtype)?;
    let owner = looked_up(context, parts, owners)?;
    let wins = context.builder.compare(CompareOp::Equal, owner, numbers)?;
    let wins = context.indicator(wins, whole.dtype)?;
    weighted(context, parts, left, wins)
}

/// The tensor times what was multiplied into each element.
fn multiply(context: &mut Context, parts: &Parts<'_>) -> Result<Option<NodeId>> {
    if parts.updates.tangent.is_some() {
        return Err(refused(parts.operation, Reason::Updates));
    }
    let ones = context.builder.splat_like(1.0, parts.operand.primal)?;
    let kind = ScatterKind::Multiply;
    let factors = combined(context, parts, kind, ones, parts.updates.primal)?;
    let tangent = parts.operand.tangent;
    tangent
        .map(|tangent| context.scale(tangent, factors))
        .transpose()
}

/// Those that reach the extremum share evenly.
fn extremum(context: &mut Context, parts: &Parts<'_>) -> Result<NodeId> {
    let dtype = context.builder.ty(parts.result)?.dtype;
    let (old, new) = (parts.operand.primal, parts.updates.primal);
    let left = context
        .builder
        .compare(CompareOp::Equal, old, parts.result)?;
    let left = context.indicator(left, dtype)?;
    let reached = looked_up(context, parts, parts.result)?;
    let wins = context.builder.compare(CompareOp::Equal, new, reached)?;
    let inside = is_inside(context, parts, new)?;
    let wins = context.builder.binary(BinaryOp::And, wins, inside)?;
    let wins = context.indicator(wins, dtype)?;
    let count = combined(context, parts, ScatterKind::Add, left, wins)?;
    let sum = weighted(context, parts, left, wins)?;
    context.same(Linear::Divide(count), sum)
}
