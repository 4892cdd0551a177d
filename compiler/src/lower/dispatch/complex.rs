//! Sums and other reductions of complex numbers whose count is known at the call only.
//!
//! IREE 3.13 takes complex numbers apart. Where other operations need the same parts, it computes these in the dispatch of the
//! reduction, not in vectors, and keeps them on the stack, as many as there are.

use super::{
    graph::{Computed, Graph, Node, Step},
    sources::sources,
};
use std::collections::BTreeSet;

/// The reductions that must read what was computed before.
pub(super) fn reductions(graph: &Graph<'_>) -> BTreeSet<Node> {
    let nodes = graph.nodes().filter(|(_, computed)| {
        let step = computed.step.as_ref();
        step.is_some_and(|step| is_reduction(step) && shares(graph, step))
    });
    nodes.map(|(node, _)| node).collect()
}

fn is_reduction(step: &Step<'_>) -> bool {
    let is_open = |step: &Step<'_>| {
        let operand = step.operand(0);
        operand.is_some_and(|ty| ty.dtype.is_complex() && ty.shape.known().is_none())
    };
    step.is_reduction() && is_open(step)
}

/// Whether others read what a reduction is computed from element by element.
fn shares(graph: &Graph<'_>, reduction: &Step<'_>) -> bool {
    let between = sources(graph, &reduction.operands, |step| step.is_parallel());
    let between = between.into_iter().filter_map(|node| graph.step(node));
    let between = between.filter(|step| step.is_parallel());
    let read = between.flat_map(|step| &step.operands);
    let mut read = read.chain(&reduction.operands);
    read.any(|node| graph.get(*node).is_some_and(Computed::is_used_again))
}
