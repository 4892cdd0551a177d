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
        let Some((value, from)) = placed(graph, step) else {
            continue;
        };
        let parts = if is_complex(step) { 2 } else { 1 };
        for source in from {
            padded.entry(source).or_default().extend(vec![value; parts]);
        }
    }
    let several = padded.into_values().filter(|operands| operands.len() > 1);
    several.flatten().collect()
}

/// The value that a step puts into others, and what is computed in its dispatch.
fn placed(graph: &Graph<'_>, step: &Step<'_>) -> Option<(Node, BTreeSet<Node>)> {
    if let Op::Pad(_) = step.op() {
        let operand = *step.operands.first()?;
        return Some((operand, roots(graph, operand)));
    }
    let window = window_of_constant(graph, step)?;
    let from = sources(graph, &[window], |step| step.is_parallel());
    Some((window, from))
}

/// The reductions and products in whose dispatches a value is computed.
fn roots(graph: &Graph<'_>, value: Node) -> BTreeSet<Node> {
    let mut roots = sources(graph, &[value], |step| step.is_parallel() || is_view(step));
    let is_root = |step: &Step<'_>| step.is_reduction() || step.is_product();
    roots.retain(|node| graph.step(*node).is_some_and(is_root));
    roots
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
