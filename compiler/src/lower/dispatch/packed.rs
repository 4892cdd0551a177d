//! Factors of batches of products that are computed with reductions.
//!
//! IREE 3.13 packs a factor into tiles in the dispatch that computes it. If there is a reduction in it, the axes of the
//! batch and of the rows are one there, and the tiles are those of other rows where a batch ends.

use super::graph::{Graph, Node, Step};
use crate::op::Op;
use std::collections::BTreeSet;

/// The values that must be computed before they are packed.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut reduced: BTreeSet<Node> = BTreeSet::new();
    let mut apart = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let is_reduction = matches!(step.op(), Op::Reduce(_) | Op::ArgReduce(_));
        let mut operands = step.operands.iter();
        if is_reduction || step.is_parallel() && operands.any(|operand| reduced.contains(operand)) {
            reduced.insert(node);
        } else if is_batch(step) {
            let factors = step.operands.iter();
            apart.extend(factors.filter(|factor| reduced.contains(factor)));
        }
    }
    apart
}

/// Whether it is a batch of products of which IREE knows all sizes.
fn is_batch(step: &Step<'_>) -> bool {
    let is_known = |position| {
        let factor = step.operand(position);
        factor.is_some_and(|ty| ty.shape.known().is_some())
    };
    matches!(step.op(), Op::DotGeneral(op) if !op.batch.0.is_empty()) && is_known(0) && is_known(1)
}
