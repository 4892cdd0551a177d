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

/// What reads a value, or what is computed from it element by element.
pub(super) fn readers<'g, 'a>(graph: &'g Graph<'a>, value: Node) -> Vec<&'g Step<'a>> {
    let (mut seen, mut pending) = (BTreeSet::from([value]), vec![value]);
    let mut found = Vec::new();
    while let Some(node) = pending.pop() {
        for user in graph.users(node).filter(|user| seen.insert(*user)) {
            let Some(step) = graph.step(user) else {
                continue;
            };
            found.push(step);
            if step.is_parallel() {
                pending.push(user);
            }
        }
    }
    found
}

/// Whether it shows its operand in another shape, which IREE does where that is read.
pub(super) fn is_view(step: &Step<'_>) -> bool {
    use Structure::{Broadcast, Reshape, Transpose};
    matches!(
        step.op().structure(),
        Broadcast(_) | Reshape(_) | Transpose(_)
    )
}
