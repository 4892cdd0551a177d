//! Reductions along an axis along which nothing changes: `(x.insert_axis(1).broadcast_to([n, m]) * 3.0).sum_axis(1)`.
//!
//! IREE 3.13 reads nothing along that axis in the dispatch of such a reduction, and keeps all that it repeats on the stack.
//! Defect `repeated-value-is-kept-on-the-stack`.

use super::{
    changes::Changes,
    graph::{Graph, Node, Step},
    stack::reduces_long_rows,
};
use std::collections::BTreeSet;

/// The values that must be in memory before they are reduced.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let changes = Changes::of(graph);
    let mut apart = BTreeSet::new();
    for (_, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        if reduces_long_rows(step) && is_still_along_an_axis(&changes, step) {
            apart.extend(step.operands.first());
        }
    }
    apart
}

fn is_still_along_an_axis(changes: &Changes, reduction: &Step<'_>) -> bool {
    let mut axes = reduction.op().reduced_axes().into_iter().flatten();
    axes.any(|axis| changes.is_still(reduction, 0, *axis))
}
