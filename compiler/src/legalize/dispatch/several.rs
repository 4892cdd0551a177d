//! Values that are computed with a reduction of long rows and packed for products, if they are several: `let h =
//! x.normalize_axis(-1); let (a, b) = (h.tanh(), h.exp()); ((a * b).dot(w), a.dot(w))`. Besides factors, what is read beside a product
//! is packed as the product is.
//!
//! IREE 3.13 packs all of them in the dispatch of the reduction, and divides only one into vectors. The others are kept on the stack
//! with all of their rows ("large vector sizes", "exceeded stack allocation limit").
//! Defect `several-values-are-packed`.

use super::{
    beside::read_beside,
    graph::{Graph, Node, Step},
    packed::multiplies_matrices,
    sources::{is_view, sources},
    stack::{count, reduces_long_rows},
};
use std::collections::{BTreeMap, BTreeSet};

/// The values that must be in memory before they are packed.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut of_reduction: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
    for (value, products) in packed(graph) {
        for reduction in reductions(graph, value, &products) {
            of_reduction.entry(reduction).or_default().insert(value);
        }
    }
    let several = of_reduction.into_values().filter(|values| values.len() > 1);
    several.flatten().collect()
}

/// What is packed for products of known sizes, and for which: their factors, and what is read beside them.
fn packed(graph: &Graph<'_>) -> BTreeMap<Node, Vec<Node>> {
    let mut packed: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for (product, computed) in graph.nodes() {
        let Some(step) = computed.step.as_ref().filter(|step| packs(step)) else {
            continue;
        };
        let factors = step.operands.iter().copied();
        for value in factors.chain(read_beside(graph, product)) {
            let value = graph.through(value, is_view).last();
            if let Some(value) = value.filter(|value| is_computed(graph, *value)) {
                packed.entry(value).or_default().push(product);
            }
        }
    }
    packed
}

fn packs(step: &Step<'_>) -> bool {
    let is_narrow = step.result().is_some_and(|ty| ty.dtype.size() <= 4);
    is_narrow && step.is_product() && step.has_known_factors() && multiplies_matrices(step)
}

/// Whether a value is computed element by element, and not stored as it is: then a dispatch of its own packs it.
fn is_computed(graph: &Graph<'_>, value: Node) -> bool {
    let computed = graph.get(value).filter(|computed| !computed.is_stored);
    let step = computed.and_then(|computed| computed.step.as_ref());
    step.is_some_and(Step::is_parallel)
}

/// The reductions of long rows of as many numbers as a value has, in whose dispatches it is computed and packed.
fn reductions(graph: &Graph<'_>, value: Node, products: &[Node]) -> Vec<Node> {
    let from = sources(graph, &[value], |step| step.is_parallel());
    let size = graph.step(value).and_then(Step::result).and_then(count);
    let is_long = |node: &Node| {
        let step = graph.step(*node).filter(|step| reduces_long_rows(step));
        step.is_some_and(|step| size.is_some() && step.operand(0).and_then(count) == size)
    };
    let mut long: Vec<_> = from.iter().copied().filter(is_long).collect();
    if long.is_empty() {
        return long;
    }
    let before = sources(graph, products, |_| true);
    let is_product = |node: &Node| graph.step(*node).is_some_and(Step::is_product);
    let multiplied: BTreeSet<_> = from.into_iter().filter(is_product).collect();
    // A product that is computed from the reduction is a dispatch behind it.
    let is_last = |reduction: &Node| multiplied.is_subset(&sources(graph, &[*reduction], |_| true));
    long.retain(|reduction| before.contains(reduction) && is_last(reduction));
    long
}
