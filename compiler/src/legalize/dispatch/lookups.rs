//! What is read beside a product from other places than it is computed at: `x.matmul(w) + y.reverse(0)`, `x.matmul(w) +
//! table.take(ids, 0)`, `x.matmul(w) + concatenate([y, z], 0)`, and parts, `x.matmul(w) + y[s![.., 64..]]`.
//!
//! IREE 3.13 reads it where it computes the tiles of the product. The last tiles reach over the end of the result, and what
//! is looked up for what is behind it is outside of the tensor: below it, for a part that is reversed. A call may crash. Parts of
//! sizes of the call it does not divide into vectors ("large vector sizes").
//! Defects `tiles-read-outside-of-what-is-looked-up` and `part-is-read-whole-beside-a-product`.

use super::{
    graph::{Graph, Node, Step},
    packed::products_of_matrices,
    sources::{beside, sources, takes_part},
};
use iree_dsl_ir::op::Structure;
use std::collections::BTreeSet;

/// What must be in memory before it meets a product.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let products = products_of_matrices(graph).filter(|(_, step)| step.is_packed());
    let read: BTreeSet<_> = products.flat_map(|(node, _)| beside(graph, node)).collect();
    let read: Vec<_> = read.into_iter().collect();
    let is_followed = |step: &Step<'_>| step.is_parallel() || takes_part(step) && !is_part(step);
    let mut looked_up = sources(graph, &read, is_followed);
    looked_up.retain(|node| {
        let step = graph.step(*node);
        step.is_some_and(|step| is_lookup(step) || is_part(step))
    });
    looked_up
}

fn is_lookup(step: &Step<'_>) -> bool {
    use Structure::{Concatenate, Gather, Reverse};
    matches!(
        step.op().structure(),
        Reverse(_) | Gather(_) | Concatenate(_)
    )
}

/// Whether it is a part, of sizes of the call.
fn is_part(step: &Step<'_>) -> bool {
    let is_unknown = step.result().is_some_and(|ty| ty.shape.known().is_none());
    is_unknown && takes_part(step)
}
