use super::{Context, Dual, slice::primals};
use crate::{
    builder::Builder,
    error::{Error, Result},
    linear::{Linear, inside},
    tape::NodeId,
};
use iree_abi::{DType, Shape, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{BinaryOp, CompareOp, Gather, Op, Reduce, ReduceKind, Scatter, ScatterKind},
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
    op: &'a Scatter,
    operand: Dual,
    updates: Dual,
    places: Vec<ValueId>,
    result: ValueId,
}

pub(super) fn scatter(
    context: &mut Context,
    op: &Scatter,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [operand, updates, places @ ..] = operands else {
        return Err(Error::Lost("an operand"));
    };
    let parts = Parts {
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
        ScatterKind::Multiply => multiply(context, &parts).map(Some),
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
    let numbers = numbers(&mut context.builder, &shape)?;
    let numbers = context.builder.plus(numbers, 1.0)?;
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

/// The tensor times what was multiplied into each element, and each factor times the others for its place.
fn multiply(context: &mut Context, parts: &Parts<'_>) -> Result<NodeId> {
    let ones = context.builder.splat_like(1.0, parts.operand.primal)?;
    let kind = ScatterKind::Multiply;
    let factors = combined(context, parts, kind, ones, parts.updates.primal)?;
    let others = match parts.updates.tangent {
        Some(_) => others(context, parts)?,
        None => factors,
    };
    weighted(context, parts, factors, others)
}

/// For each element, the product of what is at its place and of the other elements for it. Nothing is divided, so that it is
/// exact at zeros, also when it is differentiated; but each element is compared with each.
fn others(context: &mut Context, parts: &Parts<'_>) -> Result<ValueId> {
    let before = looked_up(context, parts, parts.operand.primal)?;
    let builder = &mut context.builder;
    let first = parts.op.axes.first().copied().unwrap_or(0);
    let place = *parts.places.first().ok_or(Error::Lost("a place"))?;
    let line = builder.shape(place)?;
    let (rank, updates) = (line.rank(), parts.updates.primal);
    let shape = builder.shape(updates)?;
    let (dims, pairs) = (shape.dims(), [line.dims(), line.dims()].concat());
    let (head, tail) = dims.split_at(first.min(dims.len()));
    let whole = Shape::new([head, line.dims(), tail].concat());
    let is_other = is_other(builder, &parts.places, &Shape::new(pairs))?;
    let is_other = builder.broadcast(is_other, &whole, (first..first + 2 * rank).collect())?;
    let moved = (0..dims.len()).map(|axis| if axis < first { axis } else { axis + rank });
    let all = builder.broadcast(updates, &whole, moved.collect())?;
    let ones = builder.splat_like(1.0, all)?;
    let others = builder.select(is_other, all, ones)?;
    let product = Reduce {
        kind: ReduceKind::Product,
        axes: (first + rank..first + 2 * rank).collect(),
    };
    let product = builder.emit(Op::Reduce(product), &[others])?;
    builder.multiply(before, product)
}

/// Of each pair of elements, whether these are two for one place.
fn is_other(builder: &mut Builder, places: &[ValueId], pairs: &Shape) -> Result<ValueId> {
    let rank = pairs.rank() / 2;
    let compare = |builder: &mut Builder, op, values| {
        let one = builder.broadcast(values, pairs, (0..rank).collect())?;
        let other = builder.broadcast(values, pairs, (rank..2 * rank).collect())?;
        builder.compare(op, one, other)
    };
    let line = Shape::new(pairs.dims().iter().take(rank).cloned().collect());
    let numbers = numbers(builder, &line)?;
    let mut all = compare(builder, CompareOp::NotEqual, numbers)?;
    for place in places {
        let same = compare(builder, CompareOp::Equal, *place)?;
        all = builder.binary(BinaryOp::And, all, same)?;
    }
    Ok(all)
}

/// The elements of a shape in order, as `i32`.
fn numbers(builder: &mut Builder, shape: &Shape) -> Result<ValueId> {
    let count = shape.element_count().and_then(iree_abi::Dim::from_extent);
    let line = Shape::new(vec![count.ok_or(Error::Lost("a size"))?]);
    let numbers = builder.iota(&line, 0)?;
    builder.reshape(numbers, shape)
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
