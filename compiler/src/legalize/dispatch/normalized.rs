//! Values that are normalized and kept: `let h = x + y; (h.normalize_axis(-1), h)`.
//!
//! IREE 3.13 computes them in the dispatch of the two reductions, one after the other, and of what these are for. A result that
//! reads nothing of the reductions has tiles of its own there, of several rows, and what is between the two is kept on the stack
//! for as many: for a few hundred numbers in a row, it refuses the dispatch. So it is after a single reduction where the value comes
//! from a product and what it becomes is packed for another: `let h = x + y.dot(w); h + h.normalize_axis(-1).dot(v)`.
//! Defect `normalized-value-is-kept`.

use super::{
    graph::{Computed, Graph, Node, Step},
    packed::multiplies_matrices,
    sources::{readers, sources},
    stack::reduces_long_rows,
};
use crate::legalize::fusion::is_fused;
use std::collections::{BTreeMap, BTreeSet};

/// The values that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let reductions = reductions_behind(graph);
    let reductions = |node: Node| reductions.get(node).copied().unwrap_or(0);
    let computed = graph.nodes().filter(|(node, computed)| {
        let is_computed = computed.step.as_ref().is_some_and(is_of_elements);
        // What is made of no argument is computed again where it is read.
        let is_again = || {
            let from = sources(graph, &[*node], |_| true);
            !computed.is_stored && !from.iter().any(|from| reads(graph, *from))
        };
        is_computed && reductions(*node) > 0 && computed.is_used_again() && !is_again()
    });
    let kept = computed.filter(|(node, computed)| {
        let is_apart = products(graph, *node).is_empty();
        // As a rule what comes from a product is in memory before it is reduced.
        let is_one_dispatch = |end: &End| match is_apart {
            true => end.reductions > 1,
            false => is_packed(graph, end.node),
        };
        let may_be = !is_apart || reductions(*node) > 1;
        may_be
            && normalized(graph, *node)
                .iter()
                .any(|end| is_one_dispatch(end) && is_kept(graph, computed, end.node))
    });
    kept.map(|(node, _)| node).collect()
}

/// Whether a value is a factor of a product of matrices, or what is computed from it element by element.
fn is_packed(graph: &Graph<'_>, value: Node) -> bool {
    let packs =
        |step: &Step<'_>| step.is_product() && step.is_packed() && multiplies_matrices(step);
    readers(graph, value).into_iter().any(packs)
}

/// Whether a value is computed from an argument, or from what no step here computes.
fn reads(graph: &Graph<'_>, value: Node) -> bool {
    let mut operands = graph
        .step(value)
        .into_iter()
        .flat_map(|step| &step.operands);
    operands.any(|operand| graph.step(*operand).is_none())
}

/// For each value, how many reductions of long rows may be in one dispatch behind it, one after the other: most programs have
/// nowhere two, and nothing else is asked of them.
fn reductions_behind(graph: &Graph<'_>) -> Vec<usize> {
    let mut behind = vec![0; graph.nodes().count()];
    // Each value comes before those that are computed from it.
    for node in (0..behind.len()).rev() {
        let users = graph.users(node).filter_map(|user| {
            let step = graph.step(user)?;
            let is_inside = is_of_elements(step) || step.is_reduction();
            let own = usize::from(reduces_long_rows(step));
            is_inside.then_some(own + behind.get(user).copied()?)
        });
        let most = users.max().unwrap_or(0);
        if let Some(behind) = behind.get_mut(node) {
            *behind = most;
        }
    }
    behind
}

/// Whether it combines no elements, and IREE computes it where it is read.
fn is_of_elements(step: &Step<'_>) -> bool {
    step.is_parallel() || is_fused(step.op()) && !step.is_root()
}

/// The products that are in the dispatch that computes a value: one that is reduced before is a dispatch of its own.
fn products(graph: &Graph<'_>, node: Node) -> BTreeSet<Node> {
    let inside = sources(graph, &[node], is_of_elements);
    let (mut products, mut reductions) = (BTreeSet::new(), Vec::new());
    for node in inside {
        match graph.step(node) {
            Some(step) if step.is_product() => _ = products.insert(node),
            Some(step) if step.is_reduction() => reductions.push(node),
            _ => {}
        }
    }
    // Most values are computed from none.
    if !products.is_empty() {
        let before = sources(graph, &reductions, |_| true);
        products.retain(|product| !before.contains(product));
    }
    products
}

/// What reads a value beside reductions of long rows that are computed from it.
struct End {
    node: Node,
    /// How many of them are one after the other.
    reductions: usize,
}

/// What reads a value beside such reductions.
fn normalized(graph: &Graph<'_>, value: Node) -> Vec<End> {
    // How many reductions there are between the value and what is computed from it.
    let mut between = BTreeMap::from([(value, 0_usize)]);
    let (own, mut ends) = (products(graph, value), Vec::new());
    // Each value comes after those that it is computed from.
    let mut pending: BTreeSet<Node> = graph.users(value).collect();
    while let Some(node) = pending.pop_first() {
        let Some(step) = graph.step(node) else {
            continue;
        };
        let counts = step.operands.iter().filter_map(|it| between.get(it));
        let (Some(least), Some(most)) = (counts.clone().min(), counts.max()) else {
            continue;
        };
        if is_of_elements(step) && least < most {
            let reductions = *most;
            ends.push(End { node, reductions });
        }
        let count = most + usize::from(reduces_long_rows(step));
        let is_inside = is_of_elements(step) || step.is_reduction();
        // Along with another product a value is read there, and not where that is normalized.
        if is_inside && products(graph, node).is_subset(&own) {
            between.insert(node, count);
            pending.extend(graph.users(node));
        }
    }
    ends
}

/// Whether a value is needed by something else than what is normalized, and what that becomes element by element.
fn is_kept(graph: &Graph<'_>, value: &Computed<'_>, end: Node) -> bool {
    let mut becomes = vec![end];
    let mut pending: BTreeSet<Node> = graph.users(end).collect();
    while let Some(node) = pending.pop_first() {
        if graph.step(node).is_some_and(is_of_elements) {
            becomes.push(node);
            pending.extend(graph.users(node));
        }
    }
    let is_followed = |step: &Step<'_>| is_of_elements(step) || step.is_reduction();
    let inside = sources(graph, &becomes, is_followed);
    value.is_stored || value.users.iter().any(|user| !inside.contains(user))
}
