use super::{Context, Dual, exactly};
use crate::{
    error::{Error, Result},
    linear::Linear,
    tape::NodeId,
};
use iree_abi::Shape;
use iree_dsl_ir::{
    ValueId,
    op::{CompareOp, Cumulate, DotGeneral, Op, Pad, ReduceKind, Transpose},
};

pub(super) fn tangent(
    context: &mut Context,
    op: &Cumulate,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [operand] = exactly(operands)?;
    let (axis, reverse) = (op.axis, false);
    let Some(tangent) = operand.tangent else {
        return Ok(None);
    };
    match op.kind {
        ReduceKind::Sum => {
            let map = Linear::CumulativeSum { axis, reverse };
            context.same(map, tangent).map(Some)
        }
        ReduceKind::Product => product(context, axis, operand.primal, tangent).map(Some),
        ReduceKind::Maximum | ReduceKind::Minimum | ReduceKind::All | ReduceKind::Any => {
            record(context, axis, tangent, result).map(Some)
        }
    }
}

/// The tangent of the element that set the record, the first of equal ones.
fn record(context: &mut Context, axis: usize, tangent: NodeId, result: ValueId) -> Result<NodeId> {
    let builder = &mut context.builder;
    let shape = builder.shape(result)?;
    let ends = |end: i64| (0..shape.rank()).map(move |at| if at == axis { end } else { 0 });
    let moved = Pad {
        low: ends(1).collect(),
        high: ends(-1).collect(),
        interior: vec![0; shape.rank()],
    };
    let before = builder.pad(result, &moved, 0.0)?;
    let is_new = builder.compare(CompareOp::NotEqual, result, before)?;
    let place = builder.iota(&shape, axis)?;
    let first = builder.splat_like(0.0, place)?;
    let place = builder.select(is_new, place, first)?;
    let kind = ReduceKind::Maximum;
    let record = builder.emit(Op::Cumulate(Cumulate { kind, axis }), &[place])?;
    let mut places = Vec::with_capacity(shape.rank());
    for at in 0..shape.rank() {
        places.push(match at == axis {
            true => record,
            false => builder.iota(&shape, at)?,
        });
    }
    let axes = (0..shape.rank()).collect();
    context.same(Linear::Gather { axes, places }, tangent)
}

/// A contraction with the products of all but one element, for each end and each such element: exact where some are 0.
fn product(
    context: &mut Context,
    axis: usize,
    operand: ValueId,
    tangent: NodeId,
) -> Result<NodeId> {
    let rank = context.builder.shape(operand)?.rank();
    let last = rank.checked_sub(1).ok_or(Error::Lost("an axis"))?;
    let mut to_end: Vec<_> = (0..rank).filter(|other| *other != axis).collect();
    to_end.push(axis);
    let mut back: Vec<_> = (0..last).collect();
    back.insert(axis, last);
    let x = context.builder.transpose(operand, to_end.clone())?;
    let factors = products_but_one(context, x, last)?;
    let ty = context.builder.ty(x)?;
    let permute = Linear::Permute(Transpose {
        permutation: to_end,
    });
    let moved = context.apply(permute, tangent, ty.clone());
    let op = DotGeneral {
        batch: ((0..last).collect(), (0..last).collect()),
        contract: (vec![last], vec![last]),
        dtype: ty.dtype,
    };
    let sums = context.apply(Linear::DotLeft { op, rhs: factors }, moved, ty);
    let ty = context.builder.ty(operand)?;
    let permute = Linear::Permute(Transpose { permutation: back });
    Ok(context.apply(permute, sums, ty))
}

/// Along the last axis *k* the product of the elements up to *k* without the element *i*, 0 for *i* behind *k*. The axes
/// are those of `x`, whose last one is that of *i*, and that of *k*.
fn products_but_one(context: &mut Context, x: ValueId, last: usize) -> Result<ValueId> {
    let builder = &mut context.builder;
    let dims = builder.shape(x)?.dims().to_vec();
    let length = dims.last().cloned().ok_or(Error::Lost("an axis"))?;
    let shape = Shape::new([dims, vec![length]].concat());
    // Each row has all elements.
    let axes = (0..last).chain([last + 1]).collect();
    let rows = builder.broadcast(x, &shape, axes)?;
    let (left_out, at) = (builder.iota(&shape, last)?, builder.iota(&shape, last + 1)?);
    let is_left_out = builder.compare(CompareOp::Equal, left_out, at)?;
    let ones = builder.splat_like(1.0, rows)?;
    let rows = builder.select(is_left_out, ones, rows)?;
    let (kind, axis) = (ReduceKind::Product, last + 1);
    let products = builder.emit(Op::Cumulate(Cumulate { kind, axis }), &[rows])?;
    let is_part = builder.compare(CompareOp::LessEqual, left_out, at)?;
    let zeros = builder.splat_like(0.0, rows)?;
    builder.select(is_part, products, zeros)
}
