//! What values are computed from.

use super::graph::{Graph, Node, Step};
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
