//! Truth values that are kept beside what they select, if that is reduced along other axes than the last: `let m = h > 0.0;
//! (select(m, h, 0.0).mean_axis(1), m)`, as in the derivative of the mean of a picture behind a ReLU.
//!
//! IREE 3.13 stores them in the dispatch of the reduction, as bytes, and keeps those of all that a worker reduces on the stack.
//! Defect `truths-beside-a-reduction-are-kept-on-the-stack`.

use super::{
    graph::{Graph, Node, Step},
    sources::{is_view, sources},
    stack::{STACK, count},
};
use iree_abi::Dim;
use std::collections::BTreeSet;

/// How many numbers of the last axis a worker has at a time, at most.
const TILE: usize = 1 << 6;

/// The values that must be in memory before they select.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut apart = BTreeSet::new();
    for step in graph.steps().filter(|step| reduces_columns(step)) {
        let inside = sources(graph, &step.operands, |step| step.is_parallel());
        let kept = inside.iter().filter(|node| {
            let computed = graph.get(**node);
            computed.is_some_and(|computed| computed.is_read_besides(&inside))
        });
        let is_truth = |node: &&Node| {
            let step = graph.step(**node);
            step.is_some_and(|step| tells_of_computed(graph, step))
        };
        apart.extend(kept.filter(is_truth));
    }
    apart
}

/// Whether it says something of each of what is computed element by element.
fn tells_of_computed(graph: &Graph<'_>, step: &Step<'_>) -> bool {
    let is_computed =
        |step: &Step<'_>| step.is_parallel() && !is_view(step) && !step.operands.is_empty();
    let mut operands = step
        .operands
        .iter()
        .filter_map(|operand| graph.step(*operand));
    step.is_truth() && step.op().is_elementwise() && operands.any(is_computed)
}

/// Whether it is a reduction of known sizes, not along the last axis, of more than the stack has bytes for.
fn reduces_columns(step: &Step<'_>) -> bool {
    let (Some(operand), Some(axes)) = (step.operand(0), step.op().reduced_axes()) else {
        return false;
    };
    let last = operand.shape.rank().saturating_sub(1);
    let sizes = step.result().and_then(count).zip(count(operand));
    let reduced = sizes.map(|(results, elements)| elements / results.max(1));
    let last_size = operand.shape.dims().get(last).and_then(Dim::known);
    let tile = last_size.map_or(TILE, |size| size.min(TILE));
    let is_long = reduced.is_some_and(|reduced| reduced.saturating_mul(tile) > STACK);
    step.is_reduction() && !axes.contains(&last) && is_long
}
