//! What values are computed from, and what is computed from them.

use super::graph::{Graph, Node, Step};
use iree_dsl_ir::op::Structure;
use std::collections::BTreeSet;

/// What values are computed from by steps of a kind, and they themselves, but for what is in memory before.
pub(super) fn sources(
    graph: &Graph<'_>,
    values: &[Node],
    is_followed: impl Fn(&Step<'_>) -> bool,
) -> BTreeSet<Node> {
    let (mut found, mut pending) = (BTreeSet::new(), values.to_vec());
    while let Some(node) = pending.pop() {
        let Some(step) = graph.step(node) else {
            continue;
        };
        if !step.operands.is_empty() && found.insert(node) && is_followed(step) {
            pending.extend(&step.operands);
        }
    }
    found
}

/// Whether each value is computed from an argument, or from what no step here computes.
pub(super) fn of_arguments(graph: &Graph<'_>) -> Vec<bool> {
    let mut all: Vec<bool> = Vec::new();
    for (_, computed) in graph.nodes() {
        let mut operands = computed.step.iter().flat_map(|step| &step.operands);
        let is_of_arguments = operands
            .any(|operand| graph.step(*operand).is_none() || all.get(*operand) == Some(&true));
        all.push(is_of_arguments);
    }
    all
}

/// A value, and what is computed from it element by element.
pub(super) fn computed_from(graph: &Graph<'_>, value: Node) -> BTreeSet<Node> {
    let (mut found, mut pending) = (BTreeSet::from([value]), vec![value]);
    while let Some(node) = pending.pop() {
        let users = graph.users(node);
        let users = users.filter(|user| graph.step(*user).is_some_and(Step::is_parallel));
        pending.extend(users.filter(|user| found.insert(*user)));
    }
    found
}

/// What reads a value, or what is computed from it element by element.
pub(super) fn readers<'g, 'a>(graph: &'g Graph<'a>, value: Node) -> Vec<&'g Step<'a>> {
    readers_of(graph, computed_from(graph, value))
}

/// What reads values.
pub(super) fn readers_of<'g, 'a>(
    graph: &'g Graph<'a>,
    values: impl IntoIterator<Item = Node>,
) -> Vec<&'g Step<'a>> {
    let values = values.into_iter();
    let users: BTreeSet<_> = values.flat_map(|node| graph.users(node)).collect();
    let steps = users.into_iter().filter_map(|user| graph.step(user));
    steps.collect()
}

/// What is read, besides a value, by what is computed from it element by element.
pub(super) fn beside(graph: &Graph<'_>, value: Node) -> BTreeSet<Node> {
    let read = edges_beside(graph, value).into_iter();
    read.map(|(_, _, operand)| operand).collect()
}

/// The same, with who reads it and at which position.
pub(super) fn edges_beside(graph: &Graph<'_>, value: Node) -> Vec<(Node, usize, Node)> {
    let computed = computed_from(graph, value);
    let mut read = Vec::new();
    for user in computed.iter().filter(|node| **node != value) {
        let operands = graph.step(*user).into_iter();
        let operands = operands.flat_map(|step| step.operands.iter().enumerate());
        let others = operands.filter(|(_, operand)| !computed.contains(operand));
        read.extend(others.map(|(position, operand)| (*user, position, *operand)));
    }
    read
}

/// Whether it shows its operand in another shape, which IREE does where that is read.
pub(super) fn is_view(step: &Step<'_>) -> bool {
    use Structure::{Broadcast, Reshape, Transpose};
    matches!(
        step.op().structure(),
        Broadcast(_) | Reshape(_) | Transpose(_)
    )
}

/// Whether it takes a part of its first operand.
pub(super) fn takes_part(step: &Step<'_>) -> bool {
    matches!(
        step.op().structure(),
        Structure::Slice(_) | Structure::Window(_)
    )
}
