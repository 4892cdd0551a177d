//! Products of sizes that are known at the call only, of which a factor of known sizes is computed
//!
//! - before a branch or a loop, and the other one in or behind it: `x.sort(0).dot(w.tanh())`;
//! - with something that the other one is computed from: `h.exp().dot(x.dot(h).t())` where `h` is `w.tanh()`;
//!
//! and the same of what is read beside such a product: if it comes from before a branch or a loop, or if it is of known sizes and
//! computed with something that a factor needs.
//!
//! IREE 3.13 packs these in the dispatch that computes them, and for that takes the sizes of the product there, which it reads off
//! the other factor: it says that this "does not dominate this use", or fails without a word.
//! Defects `factor-is-packed-before-a-branch` and `factor-is-packed-with-what-the-other-needs`.

use super::{
    graph::{Computed, Graph, Node, Step},
    sources::{edges_beside, is_view, sources},
};
use iree_abi::DType;
use iree_dsl_ir::op::{Op, Structure, UnaryOp};
use std::collections::BTreeSet;

/// The operands of products, and of what is computed with them, that must be computed before these, by their positions.
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
            let before = || {
                is_computed_before(graph, **factor, computed)
                    || is_computed_with_others(graph, **factor, &step.operands)
            };
            is_known && before()
        });
        found.extend(apart.map(|(position, _)| (node, position)));
        found.extend(read_with(graph, node, computed));
    }
    found
}

/// What is read by what is computed from a product element by element, and comes from before a branch or a loop, or from where
/// something is computed that a factor needs.
fn read_with(graph: &Graph<'_>, node: Node, product: &Computed<'_>) -> Vec<(Node, usize)> {
    let factors = product.step.as_ref().map(|step| step.operands.as_slice());
    let factors = factors.unwrap_or_default();
    // Masks are read as bytes, which are in memory.
    let is_mask = |user: Node, position| {
        let ty = graph.step(user).and_then(|step| step.operand(position));
        ty.is_some_and(|ty| ty.dtype == DType::Bool)
    };
    let is_known = |value: Node| {
        let origin = graph.through(value, is_view).last();
        let ty = origin.and_then(|origin| graph.step(origin)?.result());
        ty.is_some_and(|ty| ty.shape.known().is_some())
    };
    let is_before = |value: Node| {
        is_computed_before(graph, value, product)
            || is_known(value) && is_computed_with_others(graph, value, factors)
    };
    let before = edges_beside(graph, node)
        .into_iter()
        .filter(|(user, position, operand)| !is_mask(*user, *position) && is_before(*operand));
    before.map(|(user, position, _)| (user, position)).collect()
}

/// Whether a branch or a loop begins or ends between a dispatch that computes a factor and its product.
fn is_computed_before(graph: &Graph<'_>, factor: Node, product: &Computed<'_>) -> bool {
    let source = graph.through(factor, is_view).last();
    let source = source.and_then(|source| graph.get(source));
    source.is_some_and(|source| {
        let is_computed = source.step.as_ref().is_some_and(is_computed);
        is_computed && source.block != product.block
    })
}

/// Whether another factor needs a value that the dispatch of a factor computes.
fn is_computed_with_others(graph: &Graph<'_>, factor: Node, factors: &[Node]) -> bool {
    let is_fused = |step: &Step<'_>| step.is_parallel() || step.is_reduction();
    let mut with = sources(graph, &[factor], is_fused);
    with.retain(|node| {
        graph
            .step(*node)
            .is_some_and(|step| is_computed(step) && !is_view(step))
    });
    let Some(first) = with.first() else {
        return false;
    };
    let others: Vec<_> = factors.iter().copied().filter(|it| *it != factor).collect();
    // What comes before the first needs none of them.
    let mut needed = BTreeSet::from_iter(others.clone());
    let mut pending = others;
    while let Some(node) = pending.pop() {
        if with.contains(&node) {
            return true;
        }
        let operands = graph.step(node).into_iter().flat_map(|step| &step.operands);
        pending.extend(operands.filter(|it| *it >= first && needed.insert(**it)));
    }
    false
}

/// Whether a dispatch computes it, and does not have it from memory.
fn is_computed(step: &Step<'_>) -> bool {
    let is_constant = matches!(step.op().structure(), Structure::Constant(_));
    !is_constant && *step.op() != Op::Unary(UnaryOp::Barrier)
}
