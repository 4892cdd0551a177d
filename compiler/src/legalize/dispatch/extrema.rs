//! Places of extrema of what is computed from a result that is needed besides: `let y = x * w; (y, (y + b).argmax_axis(1))`.
//!
//! The extremum is found first and then looked for, and IREE 3.13 computes for each of both anew what they read. Where it
//! computes `y` itself, it rounds `x * w + b` once; where it reads `y`, twice. So nothing may be equal to the extremum.
//! Defect `extremum-is-rounded-in-two-ways`.

use super::{
    graph::{Computed, Graph, Node},
    sources::sources,
};
use iree_abi::DTypeClass;
use iree_dsl_ir::op::Op;
use std::collections::BTreeSet;

/// The values that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let steps = graph.nodes().filter_map(|(_, it)| it.step.as_ref());
    let searches = steps.filter(|step| matches!(step.op(), Op::ArgReduce(_)));
    let searched = searches.filter_map(|step| step.operands.first().copied());
    searched.filter(|node| is_of_needed(graph, *node)).collect()
}

/// Whether a value is computed element by element from a number that is computed so too, and that others need.
fn is_of_needed(graph: &Graph<'_>, node: Node) -> bool {
    let step = graph.step(node).filter(|step| step.is_parallel());
    step.is_some_and(|step| {
        let sources = sources(graph, &step.operands, |step| step.is_parallel());
        let mut sources = sources.iter().filter_map(|node| graph.get(*node));
        sources.any(|source| is_rounded(source) && source.is_used_again())
    })
}

fn is_rounded(computed: &Computed<'_>) -> bool {
    computed.step.as_ref().is_some_and(|step| {
        let class = step.result().map(|ty| ty.dtype.class());
        step.is_parallel() && class == Some(DTypeClass::Float)
    })
}
