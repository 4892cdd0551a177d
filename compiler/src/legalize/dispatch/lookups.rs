//! Elements that are read from computed places beside a product: `x.matmul(w) + y.reverse(0)`, `x.matmul(w) + table.take(ids, 0)`,
//! `x.matmul(w) + concatenate([y, z], 0)`.
//!
//! IREE 3.13 reads them where it computes the tiles of the product. The last tiles reach over the end of the result, and what
//! is read for what is behind it is outside of the tensor: below it, for a part that is reversed. A call may crash.
//! Defect `tiles-read-outside-of-what-is-looked-up`.

use super::{
    graph::{Graph, Node, Step},
    packed::multiplies_matrices,
    sources::beside,
};
use iree_dsl_ir::op::Structure;
use std::collections::BTreeSet;

/// What must be in memory before it meets a product.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let products = graph.nodes().filter(|(_, computed)| {
        let step = computed.step.as_ref();
        step.is_some_and(|step| step.is_product() && multiplies_matrices(step))
    });
    let read: BTreeSet<_> = products.flat_map(|(node, _)| beside(graph, node)).collect();
    looked_up(graph, read)
}

/// The lookups that values are computed from, element by element.
fn looked_up(graph: &Graph<'_>, values: BTreeSet<Node>) -> BTreeSet<Node> {
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    let mut pending = Vec::from_iter(values);
    while let Some(node) = pending.pop() {
        let Some(step) = graph.step(node).filter(|_| seen.insert(node)) else {
            continue;
        };
        if is_lookup(step) {
            found.insert(node);
        } else if step.is_parallel() {
            pending.extend(&step.operands);
        }
    }
    found
}

fn is_lookup(step: &Step<'_>) -> bool {
    use Structure::{Concatenate, Gather, Reverse};
    matches!(
        step.op().structure(),
        Reverse(_) | Gather(_) | Concatenate(_)
    )
}
