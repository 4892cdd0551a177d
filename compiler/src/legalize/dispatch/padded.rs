//! Results of a reduction or a product that are padded twice: `let s = x.sum_axis(1); (pad!(s * 2.0, low = [1]), pad!(s + 1.0,
//! high = [1]))`.
//!
//! IREE 3.13 computes both in the dispatch of the root, each straight to its place between what is put around it, and does not
//! divide what stores the second among workers. A complex number is two.
//!
//! So it does with windows of sizes of the call that are put into constants, whatever computes them: the derivative of
//! `x.roll(1, 0) - x.roll(-1, 0)`.
//! Defect `reduction-is-padded-twice`.

use super::{
    graph::{Graph, Node, Step},
    sources::{is_view, sources},
};
use iree_dsl_ir::op::{Op, Structure};
use std::collections::{BTreeMap, BTreeSet};

/// The values that must be in memory before they are padded.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut padded: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for (_, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        if let (Op::Pad(_), Some(operand)) = (step.op(), step.operands.first()) {
            for root in roots(graph, *operand) {
                let parts = if is_complex(step) { 2 } else { 1 };
                padded
                    .entry(root)
                    .or_default()
                    .extend(vec![*operand; parts]);
            }
        }
        if let Some(window) = window_of_constant(graph, step) {
            for source in sources(graph, &[window], |step| step.is_parallel()) {
                let parts = if is_complex(step) { 2 } else { 1 };
                padded
                    .entry(source)
                    .or_default()
                    .extend(vec![window; parts]);
            }
        }
    }
    let several = padded.into_values().filter(|operands| operands.len() > 1);
    several.flatten().collect()
}

/// The reductions and products in whose dispatches a value is computed.
fn roots(graph: &Graph<'_>, value: Node) -> impl Iterator<Item = Node> {
    let all = sources(graph, &[value], |step| step.is_parallel() || is_view(step));
    let is_root = |step: &Step<'_>| step.is_reduction() || step.is_product();
    all.into_iter()
        .filter(move |node| graph.step(*node).is_some_and(is_root))
}

/// The window that a step puts into a constant, if not all sizes are known.
fn window_of_constant(graph: &Graph<'_>, step: &Step<'_>) -> Option<Node> {
    let is_known = step.result().is_none_or(|ty| ty.shape.known().is_some());
    if is_known || step.op().structure() != Structure::Update {
        return None;
    }
    let [whole, window, ..] = step.operands.as_slice() else {
        return None;
    };
    let mut views = graph.through(*whole, is_view);
    let is_splat = views.any(|node| {
        let step = graph.step(node);
        step.is_some_and(|step| matches!(step.op().structure(), Structure::Constant(_)))
    });
    is_splat.then_some(*window)
}

fn is_complex(step: &Step<'_>) -> bool {
    step.operand(0).is_some_and(|ty| ty.dtype.is_complex())
}
