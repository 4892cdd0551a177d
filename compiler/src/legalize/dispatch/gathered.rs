//! What is looked up in a table, used several times and reduced; and long rows that are looked up and reduced along
//! themselves and another axis, `table.take(words, 0).mean()`, or in an unknown number, or very long ones.
//!
//! IREE 3.13 makes one dispatch of it with its reductions and what is computed of both, keeps rows of each value there on
//! the stack, and refuses the dispatch where they do not fit. Without a lookup it computes the rows anew for each use.
//! Defect `looked-up-rows-on-the-stack`.

use super::{
    graph::{Graph, Node, Step},
    stack::{ROW, STACK},
};
use crate::legalize::fusion::is_fused;
use iree_abi::Dim;
use iree_dsl_ir::op::Op;
use std::collections::BTreeSet;

/// How many rows are in a tile.
const ROWS: usize = 8;

/// The values that must be in memory before they are reduced.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut apart = used_again(graph);
    let reduced = reduced(graph, &apart, keeps_rows);
    let nodes = graph.nodes().map(|(node, _)| node);
    apart.extend(nodes.filter(|node| {
        let step = graph.step(*node);
        step.is_some_and(looks_up_long_rows) && reduced.contains(node)
    }));
    apart
}

/// What is computed from what is looked up, and used several times and reduced.
fn used_again(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut apart = BTreeSet::new();
    let reduced = reduced(graph, &apart, |_| true);
    let mut gathered = BTreeSet::new();
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

/// Whether what is looked up at each place is a long row.
fn looks_up_long_rows(step: &Step<'_>) -> bool {
    let Op::Gather(gather) = step.op() else {
        return false;
    };
    let (Some(row), Some(places), Some(&axis)) =
        (step.result(), step.operand(1), gather.axes.first())
    else {
        return false;
    };
    let mut sizes = row.shape.dims().iter().skip(axis + places.shape.rank());
    // Of an unknown size IREE takes a part at a time.
    let elements = sizes.try_fold(1_usize, |all, dim| Some(all.saturating_mul(dim.known()?)));
    elements.is_some_and(|elements| elements.saturating_mul(row.dtype.size()) > ROW)
}

/// Whether a reduction is along rows as they are in memory, and along something else, of an unknown number of them, or of rows
/// of which a tile is larger than the stack.
fn keeps_rows(step: &Step<'_>) -> bool {
    let (Some(operand), Some(axes)) = (step.operand(0), step.op().reduced_axes()) else {
        return false;
    };
    let last = operand.shape.rank().saturating_sub(1);
    let row = operand.shape.dims().get(last).and_then(Dim::known);
    let is_larger = row.is_some_and(|row| row.saturating_mul(ROWS * operand.dtype.size()) > STACK);
    axes.contains(&last) && (axes.len() > 1 || operand.shape.known().is_none() || is_larger)
}

/// The values that reductions of a kind reduce in the dispatch that computes them.
fn reduced(
    graph: &Graph<'_>,
    apart: &BTreeSet<Node>,
    is_of_kind: fn(&Step<'_>) -> bool,
) -> BTreeSet<Node> {
    let mut reduced = BTreeSet::new();
    let nodes: Vec<_> = graph.nodes().collect();
    for (node, computed) in nodes.into_iter().rev() {
        let Some(step) = &computed.step else { continue };
        let is_reduction = step.op().reduced_axes().is_some() && is_of_kind(step);
        let is_computed_with = || is_fused(step.op()) && !apart.contains(&node);
        if is_reduction || is_computed_with() && reduced.contains(&node) {
            reduced.extend(&step.operands);
        }
    }
    reduced
}
