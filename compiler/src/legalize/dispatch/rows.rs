//! Products with vectors that are reduced along another axis; and products of a batch whose axes are not the first of a factor, if
//! their result is repeated: `einsum!("ijk,jk->ij", a, b).insert_axis(2) * c`.
//!
//! IREE 3.13 makes one dispatch of such a product, whose tiles data tiling has packed, and a reduction along an axis that the
//! product does not have, and then divides it among workers for the product only. It refuses what the reduction stores, or what is
//! stored of the product repeated. Of sizes of the call so it is with batches, of which the dispatch may also have vectors that are too large.
//! Defect `product-with-a-vector-is-reduced`.

use super::{
    graph::{Graph, Node, Step},
    products::is_repeated,
    sources::readers,
    stack::is_larger,
};
use iree_abi::DType;
use iree_dsl_ir::op::Op;
use std::collections::BTreeSet;

/// The values that must be computed before they are reduced or repeated.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let nodes = graph.nodes();
    let products = nodes.filter(|(_, computed)| computed.step.as_ref().is_some_and(is_product));
    products
        .map(|(node, _)| node)
        .filter(|node| {
            is_reduced(graph, *node) || is_torn(graph, *node) && is_repeated(graph, *node)
        })
        .collect()
}

/// Whether IREE packs a product into tiles, and a factor is a vector, or each of a batch is. Of sizes that IREE does not know, it does
/// so with a batch only.
fn is_product(step: &Step<'_>) -> bool {
    let (Op::DotGeneral(op), Some(lhs), Some(rhs)) = (step.op(), step.operand(0), step.operand(1))
    else {
        return false;
    };
    let is_packed = step.has_known_factors() || !op.batch.0.is_empty();
    let has_vector = op.vectors(&lhs.shape, &rhs.shape).contains(&true);
    !step.is_parallel() && lhs.dtype == DType::F32 && is_packed && has_vector
}

/// Whether a factor has other axes of more than one place before one of the batch.
fn is_torn(graph: &Graph<'_>, product: Node) -> bool {
    let Some(step) = graph.step(product) else {
        return false;
    };
    let Op::DotGeneral(op) = step.op() else {
        return false;
    };
    let mut factors = [&op.batch.0, &op.batch.1].into_iter().enumerate();
    factors.any(|(position, batch)| {
        let dims = step.operand(position).map(|ty| ty.shape.dims());
        let dims = dims.unwrap_or_default().iter().enumerate();
        let mut others = dims.filter(|(axis, dim)| !dim.is_one() && !batch.contains(axis));
        others
            .next()
            .is_some_and(|(first, _)| batch.iter().any(|axis| *axis > first))
    })
}

/// Whether what is computed from a product element by element is reduced, repeated along another axis.
fn is_reduced(graph: &Graph<'_>, product: Node) -> bool {
    let Some(own) = graph.step(product).and_then(Step::result) else {
        return false;
    };
    let mut readers = readers(graph, product).into_iter();
    readers.any(|step| step.is_reduction() && step.operand(0).is_some_and(|ty| is_larger(ty, own)))
}
