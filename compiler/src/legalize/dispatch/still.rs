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

/// Whether what is reduced is computed from places and from tensors that are repeated, of which something else reads a value.
fn is_of_places(graph: &Graph<'_>, reduction: &Step<'_>) -> bool {
    let Some(ty) = reduction.operand(0) else {
        return false;
    };
    let inside = sources(graph, &reduction.operands, |step| step.is_parallel());
    let mut is_read_besides = false;
    for node in &inside {
        let Some(computed) = graph.get(*node) else {
            continue;
        };
        is_read_besides |= computed.is_used_again();
        let Some(step) = computed.step.as_ref().filter(|step| step.is_parallel()) else {
            return false;
        };
        let operands = (0..).zip(&step.operands);
        let mut read = operands.filter(|(_, operand)| !inside.contains(operand));
        if read.any(|(position, operand)| {
            let is_made = graph
                .step(*operand)
                .is_some_and(|step| step.operands.is_empty());
            !is_made
                && step
                    .operand(position)
                    .is_none_or(|read| !is_larger(ty, read))
        }) {
            return false;
        }
    }
    is_read_besides && !inside.is_empty()
}

fn is_still_along_an_axis(changes: &Changes, reduction: &Step<'_>) -> bool {
    let mut axes = reduction.op().reduced_axes().into_iter().flatten();
    axes.any(|axis| changes.is_still(reduction, 0, *axis))
}
