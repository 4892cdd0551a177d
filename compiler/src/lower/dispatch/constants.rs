//! Reductions of what is the same number everywhere, in tensors of run-time size.
//!
//! IREE 3.13 writes such a number into the code that combines the elements, which then reads nothing that it could
//! vectorise along: the number is combined once for each vector.

use super::graph::{Graph, Node, Step};
use crate::{lower::fusion::is_fused, op::Op};
use std::collections::BTreeSet;

/// The values that must be in memory before they are reduced.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut constants: BTreeSet<Node> = BTreeSet::new();
    let mut apart = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let mut operands = step.operands.iter();
        let is_constant = operands.all(|operand| constants.contains(operand));
        match step.op() {
            Op::Constant(_) => {
                constants.insert(node);
            }
            _ if step.operands.is_empty() || !is_constant => {}
            op if is_reduction(op) && is_unknown(step) => apart.extend(&step.operands),
            op if is_fused(op) => {
                constants.insert(node);
            }
            _ => {}
        }
    }
    apart
}

fn is_reduction(op: &Op) -> bool {
    matches!(
        op,
        Op::Reduce(_) | Op::ArgReduce(_) | Op::ReduceWindow(_) | Op::Cumulate(_)
    )
}

fn is_unknown(step: &Step<'_>) -> bool {
    let operand = step.operand(0);
    operand.is_some_and(|ty| ty.shape.known().is_none())
}
