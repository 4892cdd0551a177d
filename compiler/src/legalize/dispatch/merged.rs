//! What a reduction or a product computes, if it is kept and repeated along two axes or more, of sizes of the call: `let s =
//! einsum!("dbc,dbc->d", x, x); (z + s, s)` where `z` is of three axes.
//!
//! IREE 3.13 may compute what repeats it in its dispatch, merges the axes that are repeated, and takes the merged size of the
//! sizes of another result of the dispatch: it passes over results that are not merged without passing over their sizes.
//! Defect `merged-axes-have-sizes-of-others`.

use super::{
    graph::{Computed, Graph, Node, Step},
    sources::{is_view, sources},
};
use std::collections::BTreeSet;

/// The values that must be in memory before they are repeated.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let steps = graph.steps();
    let repeated = steps
        .filter(|step| step.is_parallel())
        .flat_map(|step| step.operands.iter().enumerate().map(move |it| (step, it)))
        .filter(|(step, (position, _))| repeats_along_several(step, *position));
    repeated
        .filter_map(|(_, (_, operand))| graph.through(*operand, is_view).last())
        .filter(|value| is_kept_with_a_root(graph, *value))
        .collect()
}

/// Whether an operand is read alike along several axes, of which one has a size of the call.
fn repeats_along_several(step: &Step<'_>, position: usize) -> bool {
    let (Some(ty), Some(axes)) = (step.result(), step.repeats(position)) else {
        return false;
    };
    let dims = ty.shape.dims().iter().enumerate();
    let repeated = dims.filter(|(axis, dim)| !dim.is_one() && axes.contains(axis));
    let repeated: Vec<_> = repeated.map(|(_, dim)| dim.known()).collect();
    repeated.len() > 1 && repeated.contains(&None)
}

/// Whether a value has sizes of the call, and a dispatch computes it, a root, and something that others need.
pub(super) fn is_kept_with_a_root(graph: &Graph<'_>, value: Node) -> bool {
    let result = graph.step(value).and_then(Step::result);
    if result.is_none_or(|ty| ty.shape.known().is_some()) {
        return false;
    }
    let with = sources(graph, &[value], |step| step.is_parallel());
    let with: Vec<_> = with.iter().filter_map(|node| graph.get(*node)).collect();
    let is_root = |computed: &Computed<'_>| computed.step.as_ref().is_some_and(Step::is_root);
    with.iter().any(|computed| is_root(computed))
        && with.iter().any(|computed| computed.is_used_again())
}
