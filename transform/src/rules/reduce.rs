use super::{Context, Dual, exactly};
use crate::{error::Result, linear::Linear, tape::NodeId};
use iree_dsl_ir::{
    ValueId,
    op::{CompareOp, Cumulate, Op, Pad, Reduce, ReduceKind},
};

pub(super) fn tangent(
    context: &mut Context,
    op: &Reduce,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [operand] = exactly(operands)?;
    let Some(tangent) = operand.tangent else {
        return Ok(None);
    };
    match op.kind {
        ReduceKind::Sum => {
            let ty = context.builder.ty(result)?;
            Ok(Some(context.apply(
                Linear::Sum(op.axes.clone()),
                tangent,
                ty,
            )))
        }
        ReduceKind::Product => product(context, op, operand.primal, tangent),
        ReduceKind::Maximum | ReduceKind::Minimum => {
            extremum(context, op, operand.primal, tangent, result)
        }
        // Of truth values.
        ReduceKind::All | ReduceKind::Any => Ok(None),
    }
}

/// Those that reach the extremum share evenly.
fn extremum(
    context: &mut Context,
    op: &Reduce,
    operand: ValueId,
    tangent: NodeId,
    result: ValueId,
) -> Result<Option<NodeId>> {
    let builder = &mut context.builder;
    let shape = builder.shape(operand)?;
    let kept = (0..shape.rank()).filter(|axis| !op.axes.contains(axis));
    let spread = builder.broadcast(result, &shape, kept.collect())?;
    let reaches = builder.compare(CompareOp::Equal, operand, spread)?;
    let ty = builder.ty(result)?;
    let reaches = context.indicator(reaches, ty.dtype)?;
    let count = context.builder.sum(reaches, op.axes.clone())?;
    let chosen = context.scale(tangent, reaches)?;
    let sum = context.apply(Linear::Sum(op.axes.clone()), chosen, ty);
    context.same(Linear::Divide(count), sum).map(Some)
}

/// One axis after the other: each tangent times the product of the others, which is exact where some are 0.
fn product(
    context: &mut Context,
    op: &Reduce,
    operand: ValueId,
    tangent: NodeId,
) -> Result<Option<NodeId>> {
    let mut axes = op.axes.clone();
    axes.sort_unstable();
    let (mut primal, mut tangent) = (operand, tangent);
    for axis in axes.into_iter().rev() {
        let others = product_of_others(context, primal, axis)?;
        let (kind, axes) = (ReduceKind::Product, vec![axis]);
        let reduce = Op::Reduce(Reduce { kind, axes });
        primal = context.builder.emit(reduce, &[primal])?;
        let ty = context.builder.ty(primal)?;
        let scaled = context.scale(tangent, others)?;
        tangent = context.apply(Linear::Sum(vec![axis]), scaled, ty);
    }
    Ok(Some(tangent))
}

/// For each element, the product of all others along an axis: of those before and those behind.
fn product_of_others(context: &mut Context, x: ValueId, axis: usize) -> Result<ValueId> {
    let before = product_before(context, x, axis)?;
    let turned = context.builder.reverse(x, vec![axis])?;
    let behind = product_before(context, turned, axis)?;
    let behind = context.builder.reverse(behind, vec![axis])?;
    context.builder.multiply(before, behind)
}

fn product_before(context: &mut Context, x: ValueId, axis: usize) -> Result<ValueId> {
    let builder = &mut context.builder;
    let rank = builder.shape(x)?.rank();
    let ends = |end: i64| {
        (0..rank)
            .map(|at| if at == axis { end } else { 0 })
            .collect()
    };
    let moved = Pad {
        low: ends(1),
        high: ends(-1),
        interior: vec![0; rank],
    };
    let moved = builder.pad(x, &moved, 1.0)?;
    let kind = ReduceKind::Product;
    builder.emit(Op::Cumulate(Cumulate { kind, axis }), &[moved])
}
