//! Values that are repeated along another axis, and summed up with a reduction whose sums are repeated: `let p = y * y; let r =
//! (x.sum_axis(1) + p).insert_axis(1).broadcast_to([33, 3]); (r, z + p.insert_axis(1))`.
//!
//! IREE 3.13 computes the value in the dispatch of the reduction, beside the sum, and with it all that repeats either of both. It
//! divides only what comes of the reduction among workers, and refuses what stores the other.
//! Defect `value-is-spread-beside-a-reduction`.

use super::{
    graph::{Graph, Node, Step},
    sources::{is_view, sources},
};
use iree_dsl_ir::op::Op;
use std::collections::BTreeSet;

/// The values that must be in memory before they are repeated.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let sums = graph.nodes().filter(|(node, computed)| {
        let step = computed.step.as_ref();
        let is_computed = step.is_some_and(|step| is_of_known_size(step) && keeps_shape(step));
        is_computed
            && !computed.is_stored
            && repetitions(graph, *node).any(|repetition| is_kept(graph, repetition))
    });
    sums.flat_map(|(sum, _)| repeated_in(graph, sum)).collect()
}

/// The values that a sum is computed from, beside a reduction, and that are repeated as well.
fn repeated_in(graph: &Graph<'_>, sum: Node) -> BTreeSet<Node> {
    let sources = sources(graph, &[sum], keeps_shape);
    let is_reduction = |node: &&Node| graph.step(**node).is_some_and(Step::is_reduction);
    let without = sources.iter().filter(is_reduction).flat_map(|reduction| {
        let with = computed_of(graph, *reduction, &sources);
        sources.iter().filter(move |node| !with.contains(node))
    });
    let without: BTreeSet<_> = without.copied().collect();
    let is_shared = |node: &Node| {
        let computed = graph.get(*node);
        computed.is_some_and(|it| it.is_used_again() && !it.is_stored)
            && graph.step(*node).is_some_and(keeps_shape)
    };
    let shared = without.iter().copied().filter(is_shared);
    shared
        .filter(|node| is_repeated(graph, *node, &sources))
        .collect()
}

/// Those among some values that a value is needed for. Each value comes after those that it is computed from.
fn computed_of(graph: &Graph<'_>, value: Node, among: &BTreeSet<Node>) -> BTreeSet<Node> {
    let mut with = BTreeSet::from([value]);
    for node in among {
        let mut operands = graph.step(*node).into_iter().flat_map(|it| &it.operands);
        if operands.any(|operand| with.contains(operand)) {
            with.insert(*node);
        }
    }
    with
}

/// Whether something repeats what a value becomes outside of others.
fn is_repeated(graph: &Graph<'_>, value: Node, others: &BTreeSet<Node>) -> bool {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![value]);
    while let Some(node) = pending.pop() {
        if repetitions(graph, node).next().is_some() {
            return true;
        }
        let users = graph.users(node).filter(|user| !others.contains(user));
        let users = users.filter(|user| graph.step(*user).is_some_and(keeps_shape));
        pending.extend(users.filter(|user| seen.insert(*user)));
    }
    false
}

fn is_of_known_size(step: &Step<'_>) -> bool {
    let result = step.result();
    result.is_some_and(|ty| ty.shape.known().is_some())
}

fn keeps_shape(step: &Step<'_>) -> bool {
    step.op().is_elementwise() || matches!(step.op(), Op::Reshape(_))
}

/// What repeats a value, as it is or in another shape.
fn repetitions(graph: &Graph<'_>, value: Node) -> impl Iterator<Item = Node> {
    let mut pending = vec![value];
    std::iter::from_fn(move || {
        while let Some(node) = pending.pop() {
            let of = graph.step(node).map(Step::op);
            if node != value && matches!(of, Some(Op::Broadcast(_))) {
                return Some(node);
            }
            let views = graph.users(node).filter(|user| {
                let step = graph.step(*user);
                step.is_some_and(is_view)
            });
            pending.extend(views);
        }
        None
    })
}

/// Whether a repetition is in memory, in this shape or another, and not computed where it is read.
fn is_kept(graph: &Graph<'_>, repetition: Node) -> bool {
    let mut pending = vec![repetition];
    while let Some(node) = pending.pop() {
        if graph.get(node).is_none_or(|it| it.is_stored) {
            return true;
        }
        for (user, step) in graph
            .users(node)
            .filter_map(|user| Some((user, graph.step(user)?)))
        {
            if is_view(step) {
                pending.push(user);
            } else if !step.op().is_elementwise() && !step.is_reduction() {
                return true;
            }
        }
    }
    false
}
