//! What all elements of a tensor are made one number of, where a value that it is computed from is kept besides, `let h = g * p; (g -
//! h, h.sum())`, as a loss and its slopes, or where elements that are somewhere else are read: `x.take_along_axis(at, 2).mean()`.
//!
//! IREE 3.13 computes the reduction and what is kept in one dispatch. Along no axis there is more than one result, so that nothing
//! is divided into tiles, and of values that something else reads it keeps all elements on the stack. So it does with what is looked
//! up. What is reduced from 131072 elements on it divides before, and keeps truth values and what is looked up of a part.
//! Defect `values-beside-a-total-are-kept-on-the-stack`.

use super::{
    graph::{Computed, Graph, Node, Step},
    sources::{is_view, of_arguments, sources},
    stack::{STACK, count},
};
use iree_abi::TensorType;
use iree_dsl_ir::op::Structure;
use std::{cell::LazyCell, collections::BTreeSet};

/// From how many elements on IREE divides what is reduced among workers.
const DIVIDED: usize = 1 << 17;

/// The values that must be in memory before they are reduced.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let of_arguments = LazyCell::new(|| of_arguments(graph));
    let is_made = |node: Node| graph.step(node).is_some() && of_arguments.get(node) != Some(&true);
    let totals = graph.steps().filter_map(Total::of);
    let kept = totals.filter(|total| total.keeps_more_than_fits(graph, is_made));
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

    /// Whether it keeps values on the stack that do not fit there; some values are made of no argument.
    fn keeps_more_than_fits(&self, graph: &Graph<'_>, is_made: impl Fn(Node) -> bool) -> bool {
        let inside = self.inside(graph);
        let bytes = self.elements.saturating_mul(self.ty.dtype.size());
        // Each may be kept in a buffer of its own.
        if inside.len().saturating_mul(bytes) <= STACK {
            return false;
        }
        let is_elsewhere = |node: &Node| graph.step(*node).is_some_and(is_elsewhere);
        let is_used_again = |node: &Node| graph.get(*node).is_some_and(Computed::is_used_again);
        let shared: Vec<_> = inside.iter().copied().filter(is_used_again).collect();
        if self.elements >= DIVIDED {
            let is_truth = |node: &Node| graph.step(*node).is_some_and(Step::is_truth);
            return shared
                .iter()
                .any(|node| is_elsewhere(node) || is_truth(node));
        }
        let is_read_besides = |node: &Node| {
            let computed = graph.get(*node);
            computed.is_some_and(|computed| computed.is_read_besides(&inside))
        };
        let is_kept = match shared[..] {
            [one] => !is_read_alone(graph, one, &inside, is_made),
            _ => shared.iter().any(is_read_besides),
        };
        is_kept || inside.iter().any(is_elsewhere)
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

/// Whether at most one operation reads a value besides, and nothing else but what is made of no argument: IREE stores it in the loop
/// of the reduction.
fn is_read_alone(
    graph: &Graph<'_>,
    value: Node,
    inside: &BTreeSet<Node>,
    is_made: impl Fn(Node) -> bool,
) -> bool {
    let users: BTreeSet<_> = graph.users(value).collect();
    let mut users = users.difference(inside);
    let first = users.next().and_then(|user| graph.step(*user));
    let mut read = first.into_iter().flat_map(|step| &step.operands);
    users.next().is_none() && read.all(|operand| *operand == value || is_made(*operand))
}
