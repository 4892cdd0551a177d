//! Sums of products of two tensors, to a single number.
//!
//! IREE 3.13 takes such a sum for a contraction of vectors, and then refuses it where a factor has not all the axes
//! ("invalid accumulator/result vector shape").

use super::graph::{Graph, Node, Step};
use iree_dsl_ir::op::{BinaryOp, Op, ReduceKind};

/// Whether an operation sums all products along several axes.
pub(super) fn is_sum(graph: &Graph<'_>, step: &Step<'_>) -> bool {
    let Op::Reduce(op) = step.op() else {
        return false;
    };
    let rank = step.operand(0).map(|ty| ty.shape.rank());
    let is_whole = rank.is_some_and(|rank| rank > 1 && op.axes.len() == rank);
    let mut operands = step.operands.iter();
    let is_product = operands.any(|operand| is_product(graph, *operand));
    op.kind == ReduceKind::Sum && is_whole && is_product
}

fn is_product(graph: &Graph<'_>, node: Node) -> bool {
    let mut steps = std::iter::successors(graph.step(node), |step| {
        let is_view = match step.op() {
            Op::Reshape(_) | Op::Transpose(_) => true,
            Op::Reduce(_) => step.is_parallel(),
            _ => false,
        };
        graph.step(*step.operands.first().filter(|_| is_view)?)
    });
    steps.any(|step| match step.op() {
        Op::Binary(BinaryOp::Multiply) => true,
        Op::DotGeneral(_) => step.is_parallel(),
        _ => false,
    })
}
