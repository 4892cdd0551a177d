//! Complex numbers, which IREE 3.13 takes apart.
//!
//! - Where other operations need the same parts as a reduction of numbers whose count is known at the call only, it computes
//!   them in the dispatch of the reduction, not in vectors, and keeps them on the stack, as many as there are.
//! - Where the parts are products, it puts them together in the dispatch of the product, whose tiles data tiling has packed, and
//!   refuses tiles of complex numbers.
//! - Where they are transposed and multiplied at each element, or are factors that something else reads, it transposes each part
//!   in the dispatch of the product, keeps both besides, and does not divide what stores them among workers.
//!
//! Defect `complex-number-of-a-product`.

use super::{
    graph::{Computed, Graph, Node, Step},
    sources::sources,
};
use iree_abi::DType;
use iree_dsl_ir::op::{BinaryOp, Op};
use std::collections::BTreeSet;

/// The products that must be computed before they are parts of complex numbers, and what must be transposed before it is
/// multiplied.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut apart = products(graph);
    apart.extend(transposed(graph));
    apart
}

/// Complex numbers that are computed, transposed and multiplied: at each element, or as factors that something else reads.
fn transposed(graph: &Graph<'_>) -> impl Iterator<Item = Node> {
    let steps = graph.steps();
    let multiplied = steps.filter(|step| {
        let dtype = step.result().map(|ty| ty.dtype);
        dtype.is_some_and(DType::is_complex) && multiplies(step.op())
    });
    let factors = multiplied.flat_map(|step| step.operands.iter().map(move |node| (step, *node)));
    let apart = factors.filter(|(product, factor)| {
        let step = graph.step(*factor);
        let step = step.filter(|step| matches!(step.op(), Op::Transpose(_)));
        let is_used_again = || graph.get(*factor).is_some_and(Computed::is_used_again);
        step.is_some_and(|step| step.operands.iter().all(|node| !graph.is_argument(*node)))
            && (product.op().is_elementwise() || is_used_again())
    });
    apart.map(|(_, factor)| factor)
}

fn multiplies(op: &Op) -> bool {
    let is_at_each_element = matches!(op, Op::Binary(BinaryOp::Multiply | BinaryOp::Divide));
    is_at_each_element || matches!(op, Op::DotGeneral(_))
}

fn products(graph: &Graph<'_>) -> BTreeSet<Node> {
    let steps = graph.steps();
    let made = steps.filter(|step| *step.op() == Op::Binary(BinaryOp::Complex));
    let parts = made.flat_map(|step| sources(graph, &step.operands, |step| step.is_parallel()));
    parts
        .filter(|node| graph.step(*node).is_some_and(Step::is_product))
        .collect()
}

/// The reductions that must read what was computed before.
pub(super) fn reductions(graph: &Graph<'_>) -> BTreeSet<(Node, usize)> {
    let nodes = graph.nodes().filter(|(_, computed)| {
        let step = computed.step.as_ref();
        step.is_some_and(|step| is_reduction(step) && shares(graph, step))
    });
    nodes.map(|(node, _)| (node, 0)).collect()
}

fn is_reduction(step: &Step<'_>) -> bool {
    let is_open = |step: &Step<'_>| {
        let operand = step.operand(0);
        operand.is_some_and(|ty| ty.dtype.is_complex() && ty.shape.known().is_none())
    };
    step.is_reduction() && is_open(step)
}

/// Whether others read what a reduction is computed from element by element.
fn shares(graph: &Graph<'_>, reduction: &Step<'_>) -> bool {
    let between = sources(graph, &reduction.operands, |step| step.is_parallel());
    let between = between.into_iter().filter_map(|node| graph.step(node));
    let between = between.filter(|step| step.is_parallel());
    let read = between.flat_map(|step| &step.operands);
    let mut read = read.chain(&reduction.operands);
    read.any(|node| graph.get(*node).is_some_and(Computed::is_used_again))
}
