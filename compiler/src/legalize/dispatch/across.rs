//! Products of sizes that are known at the call only, of which a factor of known sizes is computed before a branch or a loop, and the
//! other one in or behind it: `x.sort(0).dot(w.tanh())`.
//!
//! IREE 3.13 packs the factor in the dispatch that computes it, and for that takes the sizes of the product there, which it reads off
//! the other factor ("does not dominate this use").
//! Defect `factor-is-packed-before-a-branch`.

use super::{
    graph::{Computed, Graph, Node},
    sources::is_view,
};
use iree_dsl_ir::op::{Op, Structure, UnaryOp};
use std::collections::BTreeSet;

/// The operands of products that must be computed before these, by their positions.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<(Node, usize)> {
    let mut found = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        if !step.is_product() || step.has_known_factors() {
            continue;
        }
        let factors = step.operands.iter().enumerate();
        let apart = factors.filter(|(position, factor)| {
            let is_known = step
                .operand(*position)
                .is_some_and(|ty| ty.shape.known().is_some());
            is_known && is_computed_before(graph, **factor, computed)
        });
        found.extend(apart.map(|(position, _)| (node, position)));
    }
    found
}

/// Whether a branch or a loop begins or ends between a dispatch that computes a factor and its product.
fn is_computed_before(graph: &Graph<'_>, factor: Node, product: &Computed<'_>) -> bool {
    let source = graph.through(factor, is_view).last();
    let source = source.and_then(|source| graph.get(source));
    source.is_some_and(|source| {
        let is_computed = source.step.as_ref().is_some_and(|step| {
            let is_constant = matches!(step.op().structure(), Structure::Constant(_));
            !is_constant && *step.op() != Op::Unary(UnaryOp::Barrier)
        });
        is_computed && source.block != product.block
    })
}
