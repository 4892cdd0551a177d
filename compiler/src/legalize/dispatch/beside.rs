//! Products of sizes that are known at the call only, beside what their factors are computed from or with: `b.dot(w) + a` where `b` is
//! computed from `a` element by element, or `a` from `b`.
//!
//! IREE 3.13 computes the sum in the dispatch of the product, in its tiles, and packs `a` like it, in the dispatch that computes
//! `a` and `b`. For that it takes the sizes of `b`, which it has behind that dispatch only, and fails without a word.
//! Defect `factor-is-kept-beside-its-product`.

use super::{
    graph::{Computed, Graph, Node, Step},
    sources::{beside, computed_from, is_view, sources},
};
use std::collections::BTreeSet;

/// The products that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let products = graph.nodes().filter_map(|(node, computed)| {
        let step = computed.step.as_ref()?;
        let is_open = step.is_product() && !step.has_known_factors();
        is_open.then_some((node, step.operands.as_slice()))
    });
    let cut = products.filter(|(node, factors)| {
        let mut read = read_beside(graph, *node);
        read.retain(|value| is_computed(graph, *value));
        let near = |values: &[Node]| sources(graph, values, |step| step.is_parallel());
        let is_computed_with_factors = || {
            let (read, factors) = (near(&Vec::from_iter(read.clone())), near(factors));
            read.intersection(&factors)
                .any(|value| is_computed(graph, *value))
        };
        let of_all = || sources(graph, factors, |_| true);
        // Of what comes before another product, several values may be of one dispatch.
        let is_of_several = || {
            let of_all = of_all();
            let mut before = read.intersection(&of_all);
            before.clone().count() > 1 || before.any(|value| is_multiplied(graph, *value, &of_all))
        };
        is_computed_with_factors() || !read.is_empty() && is_of_several()
    });
    cut.map(|(node, _)| node).collect()
}

/// Whether a value is not in memory anyway, and what is computed from it element by element is a factor of a product among others.
fn is_multiplied(graph: &Graph<'_>, value: Node, among: &BTreeSet<Node>) -> bool {
    if graph.get(value).is_some_and(|it| it.is_stored) {
        return false;
    }
    let computed = computed_from(graph, value).into_iter();
    let mut others = computed.filter(|node| *node != value);
    others.any(|node| {
        let mut users = graph.users(node);
        users.any(|user| among.contains(&user) && graph.step(user).is_some_and(Step::is_product))
    })
}

/// Whether it takes a dispatch: views of arguments and of constants are repeated wherever they are read.
fn is_computed(graph: &Graph<'_>, value: Node) -> bool {
    let sources = sources(graph, &[value], is_view);
    let mut steps = sources.iter().filter_map(|source| graph.step(*source));
    steps.any(|step| !is_view(step))
}

/// What is in memory before of what is read, besides a value, by what is computed from it element by element.
pub(super) fn read_beside(graph: &Graph<'_>, value: Node) -> BTreeSet<Node> {
    stored(graph, beside(graph, value).into_iter().collect())
}

/// What is read where values are computed: what only they need, element by element, is computed with them.
fn stored(graph: &Graph<'_>, mut pending: Vec<Node>) -> BTreeSet<Node> {
    let mut stored = BTreeSet::new();
    while let Some(node) = pending.pop() {
        let is_again = graph.get(node).is_none_or(Computed::is_used_again);
        match graph.step(node) {
            Some(step) if step.is_parallel() && !is_again => pending.extend(&step.operands),
            _ => {
                stored.insert(node);
            }
        }
    }
    stored
}
