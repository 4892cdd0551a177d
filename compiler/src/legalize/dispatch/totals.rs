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
use iree_abi::{DType, TensorType};
use iree_dsl_ir::op::Structure;
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
struct Total<'a> {
    operand: Node,
    ty: &'a TensorType,
    elements: usize,
}

impl<'a> Total<'a> {
    fn of(step: &Step<'a>) -> Option<Self> {
        let ty = step.operand(0).filter(|_| step.is_reduction())?;
        let (elements, results) = (count(ty)?, count(step.result()?)?);
        let operand = *step.operands.first()?;
        (results == 1).then_some(Self {
            operand,
            ty,
            elements,
        })
    }

    fn keeps_more_than_fits(&self, graph: &Graph<'_>) -> bool {
        let inside = self.inside(graph);
        let bytes = self.elements.saturating_mul(self.ty.dtype.size());
        // Each may be kept in a buffer of its own.
        if inside.len().saturating_mul(bytes) <= STACK {
            return false;
        }
        let shared = inside
            .iter()
            .filter(|node| graph.get(**node).is_some_and(Computed::is_used_again));
        let of_such =
            |is_such: fn(&Step<'_>) -> bool, node: &Node| graph.step(*node).is_some_and(is_such);
        if self.elements >= DIVIDED {
            let mut shared = shared;
            return shared.any(|node| of_such(is_elsewhere, node) || of_such(is_truth, node));
        }
        let shared: Vec<_> = shared.copied().collect();
        let is_read_besides = |node: &Node| {
            let computed = graph.get(*node);
            computed.is_some_and(|computed| computed.is_read_besides(&inside))
        };
        let is_alone = match shared[..] {
            [] => true,
            [one] => is_read_alone(graph, one, &inside),
            _ => !shared.iter().any(is_read_besides),
        };
        !is_alone || inside.iter().any(|node| of_such(is_elsewhere, node))
    }

    /// What is computed in the dispatch of the reduction, as large as what that reduces.
    fn inside(&self, graph: &Graph<'_>) -> BTreeSet<Node> {
        let mut inside = sources(graph, &[self.operand], |step| step.is_of_elements());
        inside.retain(|node| {
            let step = graph.step(*node);
            step.is_some_and(|step| {
                let is_as_large = step.result().and_then(count) == Some(self.elements);
                step.is_of_elements() && is_as_large && !is_view(step)
            })
        });
        inside
    }
}

/// Whether it reads elements that are somewhere else.
fn is_elsewhere(step: &Step<'_>) -> bool {
    let structure = step.op().structure();
    matches!(structure, Structure::Gather(_)) || matches!(structure, Structure::Reverse(_))
}

fn is_truth(step: &Step<'_>) -> bool {
    step.result().is_some_and(|ty| ty.dtype == DType::Bool)
}

/// Whether one operation reads a value besides, and nothing else but what is made of nothing: IREE stores it in the loop of the
/// reduction.
fn is_read_alone(graph: &Graph<'_>, value: Node, inside: &BTreeSet<Node>) -> bool {
    let users: BTreeSet<_> = graph.users(value).collect();
    let users: Vec<_> = users.difference(inside).copied().collect();
    let is_made = |node: Node| {
        sources(graph, &[node], |_| true).iter().all(|from| {
            let mut operands = graph
                .step(*from)
                .into_iter()
                .flat_map(|step| &step.operands);
            operands.all(|operand| graph.step(*operand).is_some())
        })
    };
    let [user] = users[..] else {
        return users.is_empty();
    };
    let operands = graph.step(user).into_iter().flat_map(|step| &step.operands);
    let others: Vec<_> = operands.filter(|operand| **operand != value).collect();
    others
        .into_iter()
        .all(|other| graph.step(*other).is_some() && is_made(*other))
}
