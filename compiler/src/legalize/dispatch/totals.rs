//! What all elements of a tensor are made one number of, where a value that it is computed from is kept besides, `let h = g * p; (g -
//! h, h.sum())`, as a loss and its slopes, or where elements that are somewhere else are read: `x.take_along_axis(at, 2).mean()`.
//!
//! IREE 3.13 computes the reduction and what is kept in one dispatch. Along no axis there is more than one result, so that nothing
//! is divided into tiles, and of values that something else reads it keeps all elements on the stack. So it does with what is looked
//! up. What is reduced from 131072 elements on it divides before, and keeps truth values and what is looked up of a part.
//! Defect `values-beside-a-total-are-kept-on-the-stack`.

use super::{
    graph::{Computed, Graph, Node, Step},
    sources::{is_view, sources},
    stack::{STACK, count},
};
use crate::legalize::fusion::is_fused;
use iree_abi::DType;
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
    is_divided: bool,
}

impl Total {
    fn of(step: &Step<'_>) -> Option<Self> {
        let ty = step.operand(0).filter(|_| step.is_reduction())?;
        let (elements, results) = (count(ty)?, count(step.result()?)?);
        let bytes = elements.saturating_mul(ty.dtype.size());
        let total = Self {
            operand: *step.operands.first()?,
            bytes,
            is_divided: elements >= DIVIDED,
        };
        (results == 1).then_some(total)
    }

    fn keeps_more_than_fits(&self, graph: &Graph<'_>) -> bool {
        let mut inside = sources(graph, &[self.operand], is_inside);
        let is_computed = |step: &Step<'_>| is_inside(step) && !is_view(step);
        inside.retain(|node| graph.step(*node).is_some_and(is_computed));
        let is_elsewhere = |step: &Step<'_>| !step.is_parallel();
        let is_truth = |step: &Step<'_>| step.result().is_some_and(|ty| ty.dtype == DType::Bool);
        let is_such = |node: &Node| {
            let is_shared = graph.get(*node).is_some_and(Computed::is_used_again);
            let step = graph.step(*node);
            step.is_some_and(|step| match self.is_divided {
                true => is_shared && (is_elsewhere(step) || is_truth(step)),
                false => is_elsewhere(step) || is_read_besides(graph, *node, &inside),
            })
        };
        // Each may be kept in a buffer of its own.
        inside.len().saturating_mul(self.bytes) > STACK && inside.iter().any(is_such)
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
