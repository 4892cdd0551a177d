//! Sums and products that something else reads than what is reduced after them: `let sum = x.sum_axis(1); (sum, ((x - sum) *
//! (x - sum)).sum_axis(1))`, where `sum` stands for itself along the axis.
//!
//! IREE 3.13 computes both reductions in one dispatch, and the first of them in the loop of the second. If it is a result of the
//! dispatch, its numbers are added to what is there each time. Where nobody else reads it, it starts anew, and the largest and the
//! smallest stay what they are.

use super::{
    graph::{Graph, Node, Step},
    sources::readers,
};
use iree_dsl_ir::op::{Op, ReduceKind};
use std::collections::BTreeSet;

/// The values that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let again = graph.nodes().filter(|(_, computed)| {
        computed.is_used_again() && computed.step.as_ref().is_some_and(accumulates)
    });
    again
        .map(|(node, _)| node)
        .filter(|node| {
            let mut readers = readers(graph, *node).into_iter();
            readers.any(Step::is_reduction)
        })
        .collect()
}

fn accumulates(step: &Step<'_>) -> bool {
    let Op::Reduce(op) = step.op() else {
        return false;
    };
    step.is_reduction() && matches!(op.kind, ReduceKind::Sum | ReduceKind::Product)
}
