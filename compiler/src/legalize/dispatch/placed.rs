//! Products beside values that are computed from places, if the result is transposed: `(x.matmul(w) + iota(0)).t()`, and with a part
//! that is reversed or looked up in the place of `iota(0)`.
//!
//! IREE 3.13 computes all of it in the tiles of the product. Where it writes the transposed tiles it has no code for what counts
//! places, and crashes.
//! Defect `places-are-counted-in-transposed-tiles`.

use super::{
    graph::{Graph, Node, Step},
    packed::multiplies_matrices,
};
use iree_dsl_ir::op::Structure;
use std::collections::BTreeSet;

/// The products that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let products = graph.nodes().filter(|(_, computed)| {
        let step = computed.step.as_ref();
        step.is_some_and(|step| step.is_product() && multiplies_matrices(step))
    });
    let cut = products.filter(|(node, _)| {
        let computed = computed_of(graph, *node);
        let steps = || computed.iter().filter_map(|node| graph.step(*node));
        steps().any(is_transpose) && {
            let operands = steps().flat_map(|step| &step.operands);
            counts_places(graph, operands.copied().collect(), computed.clone())
        }
    });
    cut.map(|(node, _)| node).collect()
}

/// A value, and what is computed from it element by element.
fn computed_of(graph: &Graph<'_>, value: Node) -> BTreeSet<Node> {
    let (mut seen, mut pending) = (BTreeSet::from([value]), vec![value]);
    while let Some(node) = pending.pop() {
        let users = graph.users(node);
        let users = users.filter(|user| graph.step(*user).is_some_and(Step::is_parallel));
        pending.extend(users.filter(|user| seen.insert(*user)));
    }
    seen
}

/// Whether one of some values is computed from places, element by element; without what was seen before.
fn counts_places(graph: &Graph<'_>, values: Vec<Node>, mut seen: BTreeSet<Node>) -> bool {
    let mut pending = values;
    while let Some(node) = pending.pop() {
        let Some(step) = graph.step(node).filter(|_| seen.insert(node)) else {
            continue;
        };
        if is_counted(step) {
            return true;
        }
        if step.is_parallel() {
            pending.extend(&step.operands);
        }
    }
    false
}

fn is_counted(step: &Step<'_>) -> bool {
    use Structure::{Gather, Index, Reverse};
    matches!(step.op().structure(), Index | Reverse(_) | Gather(_))
}

fn is_transpose(step: &Step<'_>) -> bool {
    matches!(step.op().structure(), Structure::Transpose(_))
}
