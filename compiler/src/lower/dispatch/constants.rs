//! Reductions and products of what is the same number everywhere.
//!
//! IREE 3.13 writes such a number into the code that combines the elements, unless it has folded it, which it does for few
//! operations and for known sizes only. That code then reads nothing that it could vectorise along: the number is
//! combined once for each vector.

use super::graph::{Graph, Node, Step};
use crate::lower::fusion::is_fused;
use iree_dsl_ir::op::Op;
use std::collections::BTreeSet;

/// The values that must be in memory before they are combined.
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
            op if combines(op) => {
                let operands = step.operands.iter();
                apart.extend(
                    operands.filter(|operand| is_unknown(step) || is_computed(graph, **operand)),
                );
            }
            op if is_fused(op) => {
                constants.insert(node);
            }
            _ => {}
        }
    }
    apart
}

/// Whether each element of the result is made of several.
fn combines(op: &Op) -> bool {
    let reduces = matches!(
        op,
        Op::Reduce(_) | Op::ArgReduce(_) | Op::ReduceWindow(_) | Op::Cumulate(_)
    );
    reduces || matches!(op, Op::DotGeneral(_) | Op::Convolution(_))
}

fn is_computed(graph: &Graph<'_>, node: Node) -> bool {
    let step = graph.step(node);
    step.is_some_and(|step| !matches!(step.op(), Op::Constant(_)))
}

fn is_unknown(step: &Step<'_>) -> bool {
    let operand = step.operand(0);
    operand.is_some_and(|ty| ty.shape.known().is_none())
}
