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
    sources::{of_arguments, readers, sources},
    stack::reduces_long_rows,
};
use std::collections::{BTreeMap, BTreeSet};

/// The values that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let (reductions, of_arguments) = (reductions_behind(graph), of_arguments(graph));
    let mut products = Products::of(graph);
    let mut cuts = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let behind = reductions.get(node).copied().unwrap_or(0);
        let is_computed = computed.step.as_ref().is_some_and(Step::is_of_elements);
        // What is made of no argument is computed again where it is read.
        let is_again = !computed.is_stored && of_arguments.get(node) != Some(&true);
        if behind == 0 || !is_computed || is_again || !computed.is_used_again() {
            continue;
        }
        let is_apart = products.inside(node).is_empty();
        if is_apart && behind == 1 {
            continue;
        }
        let ends = normalized(graph, &mut products, node);
        // As a rule what comes from a product is in memory before it is reduced.
        let is_one_dispatch = |end: &End| match is_apart {
            true => end.reductions > 1,
            false => is_packed(graph, end.node),
        };
        let mut ends = ends.iter().filter(|end| is_one_dispatch(end));
        if ends.any(|end| is_kept(graph, computed, end.node)) {
            cuts.insert(node);
        }
    }
    cuts
}

/// Whether a value is a factor of a product of matrices, or what is computed from it element by element.
fn is_packed(graph: &Graph<'_>, value: Node) -> bool {
    let packs =
        |step: &Step<'_>| step.is_product() && step.is_packed() && multiplies_matrices(step);
    readers(graph, value).into_iter().any(packs)
}

/// For each value, how many reductions of long rows may be in one dispatch behind it, one after the other: most programs have
/// nowhere two, and nothing else is asked of them.
fn reductions_behind(graph: &Graph<'_>) -> Vec<usize> {
    let mut behind = vec![0; graph.nodes().count()];
    // Each value comes before those that are computed from it.
    for node in (0..behind.len()).rev() {
        let users = graph.users(node).filter_map(|user| {
            let step = graph.step(user)?;
            let is_inside = step.is_of_elements() || step.is_reduction();
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

/// The products that are in the dispatches that compute values.
struct Products<'g, 'a> {
    graph: &'g Graph<'a>,
    known: BTreeMap<Node, BTreeSet<Node>>,
}

impl<'g, 'a> Products<'g, 'a> {
    fn of(graph: &'g Graph<'a>) -> Self {
        Self {
            graph,
            known: BTreeMap::new(),
        }
    }

    /// Those of a value: one that is reduced before is a dispatch of its own.
    fn inside(&mut self, node: Node) -> &BTreeSet<Node> {
        let graph = self.graph;
        self.known.entry(node).or_insert_with(|| {
            let (mut products, mut reductions) = (BTreeSet::new(), Vec::new());
            for node in sources(graph, &[node], |step| step.is_of_elements()) {
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
        })
    }
}

/// What reads a value beside reductions of long rows that are computed from it.
struct End {
    node: Node,
    /// How many of them are one after the other.
    reductions: usize,
}

/// What reads a value beside such reductions.
fn normalized(graph: &Graph<'_>, products: &mut Products<'_, '_>, value: Node) -> Vec<End> {
    // How many reductions there are between the value and what is computed from it.
    let mut between = BTreeMap::from([(value, 0_usize)]);
    let (own, mut ends) = (products.inside(value).clone(), Vec::new());
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
        if step.is_of_elements() && least < most {
            let reductions = *most;
            ends.push(End { node, reductions });
        }
        let count = most + usize::from(reduces_long_rows(step));
        let is_inside = step.is_of_elements() || step.is_reduction();
        // Along with another product a value is read there, and not where that is normalized.
        if is_inside && products.inside(node).is_subset(&own) {
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
        if graph.step(node).is_some_and(Step::is_of_elements) {
            becomes.push(node);
            pending.extend(graph.users(node));
        }
    }
    let is_followed = |step: &Step<'_>| step.is_of_elements() || step.is_reduction();
    let inside = sources(graph, &becomes, is_followed);
    value.is_read_besides(&inside)
}
