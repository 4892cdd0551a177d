//! Reductions along an axis along which nothing changes: `(x.insert_axis(1).broadcast_to([n, m]) * 3.0).sum_axis(1)`.
//!
//! IREE 3.13 reads nothing along that axis in the dispatch of such a reduction, and keeps all that it repeats on the stack.
//!
//! So it is where only places change along the axis, and the sum is read beside what is summed up: `let o = labels.one_hot(); (e * o + e *
//! o.sum_axis(1).insert_axis(1))`, as in the derivative of a loss. Computed apart, such a sum reads nothing either.
//! Defect `repeated-value-is-kept-on-the-stack`.

use super::{
    changes::Changes,
    graph::{Graph, Node, Step},
    sources::sources,
    stack::{is_larger, reduces_long_rows},
};
use iree_dsl_ir::op::Op;
use std::collections::BTreeSet;

/// The values that must be in memory before they are reduced.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let changes = Changes::of(graph);
    let mut apart = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        if !reduces_long_rows(step) {
            continue;
        }
        if is_still_along_an_axis(&changes, step) {
            apart.extend(step.operands.first());
        } else if is_of_places(graph, step) {
            apart.insert(node);
        }
    }
    apart
}

/// Whether what is reduced is computed from places, and from tensors that are repeated, and something else reads a value of it.
fn is_of_places(graph: &Graph<'_>, reduction: &Step<'_>) -> bool {
    let inside = sources(graph, &reduction.operands, |step| step.is_parallel());
    let is_made = |operand: &Node| {
        graph
            .step(*operand)
            .is_some_and(|it| it.operands.is_empty())
    };
    let reads_no_more = |step: &Step<'_>| {
        let mut read = (0..).zip(&step.operands);
        read.all(|(position, operand)| {
            inside.contains(operand) || is_made(operand) || is_repeated(step, position, reduction)
        })
    };
    let is_place = |operand: &Node| {
        let step = graph.step(*operand);
        step.is_some_and(|step| matches!(step.op(), Op::Iota(_)))
    };
    let is_read_besides = |node: &Node| {
        let computed = graph.get(*node);
        computed.is_some_and(|computed| computed.is_read_besides(&inside))
    };
    let mut steps = inside.iter().filter_map(|node| graph.step(*node));
    steps
        .clone()
        .all(|step| step.is_parallel() && reads_no_more(step))
        && steps.any(|step| step.operands.iter().any(is_place))
        && inside.iter().any(is_read_besides)
}

/// Whether it repeats an operand to what is reduced.
fn is_repeated(step: &Step<'_>, position: usize, reduction: &Step<'_>) -> bool {
    let types = reduction.operand(0).zip(step.operand(position));
    types.is_some_and(|(reduced, read)| is_larger(reduced, read))
}

fn is_still_along_an_axis(changes: &Changes, reduction: &Step<'_>) -> bool {
    let mut axes = reduction.op().reduced_axes().into_iter().flatten();
    axes.any(|axis| changes.is_still(reduction, 0, *axis))
}
