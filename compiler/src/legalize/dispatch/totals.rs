//! What all elements of a tensor are made one number of, where values that it is computed from are kept besides: `let a = x.tanh();
//! let b = a * y; ((a * b).sum(), a + b)`, as a loss and its slopes.
//!
//! IREE 3.13 computes the reduction and what is kept in one dispatch. Along no axis there is more than one result, so that nothing
//! is divided into tiles, and of values that are computed one from the other it keeps all elements on the stack. What is reduced from
//! 131072 elements it divides before.
//! Defect `values-beside-a-total-are-kept-on-the-stack`.

use super::{
    graph::{Computed, Graph, Node, Step},
    sources::{is_view, sources},
    stack::{STACK, count},
};
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
        let mut inside = sources(graph, &[self.operand], |step| step.is_parallel());
        inside.retain(|node| {
            let step = graph.step(*node);
            step.is_some_and(|step| step.is_parallel() && !is_view(step))
        });
        // Each may be kept in a buffer of its own.
        inside.len().saturating_mul(self.bytes) > STACK && is_kept(graph, &inside)
    }
}

/// Whether of some values one that several operations read is computed from another one, and something else reads one of them.
fn is_kept(graph: &Graph<'_>, inside: &BTreeSet<Node>) -> bool {
    let shared = inside
        .iter()
        .filter(|node| graph.get(**node).is_some_and(Computed::is_used_again));
    let shared: BTreeSet<_> = shared.copied().collect();
    let is_read_besides = |node: &Node| {
        let computed = graph.get(*node);
        computed.is_some_and(|it| it.is_stored || !it.users.iter().all(|it| inside.contains(it)))
    };
    let is_of_another = |node: &Node| {
        let of = sources(graph, &[*node], |step| step.is_parallel());
        of.intersection(&shared).count() > 1
    };
    shared.iter().any(is_read_besides) && shared.iter().any(is_of_another)
}
