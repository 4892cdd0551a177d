//! Sums of products of two tensors, to a single number.
//!
//! IREE 3.13 takes such a sum for a contraction of vectors, and then refuses it where a factor has not all the axes
//! ("invalid accumulator/result vector shape").

use super::graph::{Graph, Node, Step};
use iree_dsl_ir::op::{BinaryOp, Op, ReduceKind, Structure};

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
        let is_view = match step.op().structure() {
            Structure::Reshape(_) | Structure::Transpose(_) => true,
            structure => matches!(structure, Structure::Reduction(_)) && step.is_parallel(),
        };
        graph.step(*step.operands.first().filter(|_| is_view)?)
    });
    let multiply = Op::Binary(BinaryOp::Multiply);
    steps.any(|step| {
        let is_contraction = matches!(step.op(), Op::DotGeneral(_));
        *step.op() == multiply || is_contraction && step.is_parallel()
    })
}
