//! Parts of a tensor of which elements are changed at places: `let y = x.exp(); y[s![1..-1]].scatter_add(i, y[s![2..]], 0)`.
//!
//! IREE 3.13 takes the part in the dispatch that changes it where the whole is in memory, so that it is not changed in place. Then it
//! keeps all of it on the stack.
//! Defect `changed-part-is-kept-on-the-stack`.

use super::{
    graph::{Graph, Node, Step},
    sources::{is_view, takes_part},
};
use iree_dsl_ir::op::Structure;
use std::collections::BTreeSet;

/// The values that must be in memory before they are changed.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let steps = graph.steps();
    let changes = steps.filter(|step| matches!(step.op().structure(), Structure::Scatter(_)));
    let changed = changes.filter_map(|step| step.operands.first());
    changed
        .filter(|node| is_part(graph, **node))
        .copied()
        .collect()
}

/// Whether a value is a part of another that something else reads, in whatever shape.
fn is_part(graph: &Graph<'_>, node: Node) -> bool {
    let is_moved = |step: &Step<'_>| is_view(step) || takes_part(step);
    let ways: Vec<_> = graph.through(node, is_moved).collect();
    let mut steps = ways.iter().filter_map(|node| graph.step(*node));
    let mut wholes = ways.iter().filter_map(|node| graph.get(*node));
    steps.any(takes_part) && wholes.any(|whole| whole.is_used_again())
}
