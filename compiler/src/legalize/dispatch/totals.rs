//! What all elements of a tensor are made one number of, where a value that it is computed from is kept besides, `let h = g * p; (g -
//! h, h.sum())`, as a loss and its slopes, or where elements that are somewhere else are read: `x.take_along_axis(at, 2).mean()`.
//!
//! IREE 3.13 computes the reduction and what is kept in one dispatch. Along no axis there is more than one result, so that nothing
//! is divided into tiles, and of values that something else reads it keeps all elements on the stack. So it does with what is looked
//! up. What is reduced from 131072 elements it divides before.
//! Defect `values-beside-a-total-are-kept-on-the-stack`.

use super::{
    graph::{Graph, Node, Step},
    sources::{is_view, sources},
    stack::{STACK, count},
};
use crate::legalize::fusion::is_fused;
use std::collections::BTreeSet;

/// From how many elements on IREE divides what is reduced among workers.
const DIVIDED: usize = 1 << 17;

/// The values that must be in memory before they are reduced.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let totals = graph.steps().filter_map(Total::of);
    let kept = totals.filter(|total| total.keeps_more_than_fits(graph));
    kept.map(|total| total.operand).collect()
}

/// A reduction to one number.
struct Total {
    operand: Node,
    /// How large its operand is.
    bytes: usize,
}

impl Total {
    fn of(step: &Step<'_>) -> Option<Self> {
        let ty = step.operand(0).filter(|_| step.is_reduction())?;
        let (elements, results) = (count(ty)?, count(step.result()?)?);
        let bytes = elements.saturating_mul(ty.dtype.size());
        let operand = *step.operands.first()?;
        (results == 1 && elements < DIVIDED).then_some(Self { operand, bytes })
    }

    fn keeps_more_than_fits(&self, graph: &Graph<'_>) -> bool {
        let mut inside = sources(graph, &[self.operand], is_inside);
        let is_computed = |step: &Step<'_>| is_inside(step) && !is_view(step);
        inside.retain(|node| graph.step(*node).is_some_and(is_computed));
        let is_elsewhere = |node: &Node| graph.step(*node).is_some_and(|it| !it.is_parallel());
        let is_kept = |node: &Node| is_read_besides(graph, *node, &inside);
        // Each may be kept in a buffer of its own.
        inside.len().saturating_mul(self.bytes) > STACK
            && inside.iter().any(|node| is_kept(node) || is_elsewhere(node))
    }
}

/// Whether it combines no elements, and IREE computes it where it is read.
fn is_inside(step: &Step<'_>) -> bool {
    step.is_parallel() || is_fused(step.op()) && !step.is_root()
}

/// Whether a value that several operations read is read by another one than those that compute some values.
fn is_read_besides(graph: &Graph<'_>, node: Node, inside: &BTreeSet<Node>) -> bool {
    graph.get(node).is_some_and(|computed| {
        let is_inside = computed.users.iter().all(|user| inside.contains(user));
        computed.is_used_again() && (computed.is_stored || !is_inside)
    })
}
