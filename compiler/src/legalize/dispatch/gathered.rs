//! What is looked up in a table, used several times and reduced.
//!
//! IREE 3.13 makes one dispatch of it with its reductions and what is computed of both, keeps rows of each value there on
//! the stack, and refuses the dispatch where they do not fit. Without a lookup it computes the rows anew for each use.
//! Defect `looked-up-rows-on-the-stack`.

use super::graph::{Graph, Node};
use crate::legalize::fusion::is_fused;
use iree_dsl_ir::op::Op;
use std::collections::BTreeSet;

/// The values that must be in memory before they are reduced.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let reduced = reduced(graph);
    let mut gathered = BTreeSet::new();
    let mut apart = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let mut operands = step.operands.iter();
        let is_gathered = matches!(step.op(), Op::Gather(_))
            || step.is_parallel() && operands.any(|operand| gathered.contains(operand));
        if is_gathered && computed.is_used_again() && reduced.contains(&node) {
            apart.insert(node);
        } else if is_gathered {
            gathered.insert(node);
        }
    }
    apart
}

/// The values that are reduced in the dispatch that computes them.
fn reduced(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut reduced = BTreeSet::new();
    let nodes: Vec<_> = graph.nodes().collect();
    for (node, computed) in nodes.into_iter().rev() {
        let Some(step) = &computed.step else { continue };
        let is_reduction = step.op().reduced_axes().is_some();
        if is_reduction || is_fused(step.op()) && reduced.contains(&node) {
            reduced.extend(&step.operands);
        }
    }
    reduced
}
