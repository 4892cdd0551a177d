//! Products beside values that are computed from places, if the result is transposed: `(x.matmul(w) + iota(0)).t()`, and with a part
//! that is reversed or looked up in the place of `iota(0)`.
//!
//! IREE 3.13 computes all of it in the tiles of the product. Where it writes the transposed tiles it has no code for what counts
//! places, and crashes.
//! Defect `places-are-counted-in-transposed-tiles`.

use super::{
    graph::{Graph, Node, Step},
    packed::products_of_matrices,
    sources::{beside, computed_from},
};
use iree_dsl_ir::op::Structure;
use std::collections::BTreeSet;

/// The products that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let cut = products_of_matrices(graph).filter(|(node, _)| {
        let mut computed = computed_from(graph, *node).into_iter();
        let is_transposed = computed.any(|node| graph.step(node).is_some_and(is_transpose));
        is_transposed && counts_places(graph, beside(graph, *node))
    });
    cut.map(|(node, _)| node).collect()
}

/// Whether one of some values is computed from places, element by element.
fn counts_places(graph: &Graph<'_>, values: BTreeSet<Node>) -> bool {
    let (mut seen, mut pending) = (BTreeSet::new(), Vec::from_iter(values));
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
