//! Rows of what is transposed, which are read in another order: `map(x.t(), |row| row.reverse(0))`.
//!
//! IREE 3.13 loads a part of a column as a vector in the dispatch that reads its elements one by one, and has no code for
//! elements that are not side by side (`LLVM Translation failed for operation: builtin.unrealized_conversion_cast`).
//! Defect `element-of-a-column-is-read`.

use super::{
    graph::{Graph, Node, Step},
    sources::{is_view, takes_part},
};
use iree_dsl_ir::op::{Op, Structure};
use std::collections::BTreeSet;

/// The values that must be in memory before they are read one by one.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let steps = graph.steps();
    let readers = steps.filter(|step| reads_one_by_one(step));
    let read = readers.flat_map(|step| &step.operands).copied();
    read.filter(|node| is_part_of_transposed(graph, *node))
        .collect()
}

fn reads_one_by_one(step: &Step<'_>) -> bool {
    matches!(
        step.op().structure(),
        Structure::Reverse(_) | Structure::Gather(_)
    )
}

/// Whether a value is a part, and it or what it is a part of is transposed.
fn is_part_of_transposed(graph: &Graph<'_>, value: Node) -> bool {
    let shown = graph.through(value, |step| is_view(step) || takes_part(step));
    let shown: Vec<_> = shown.filter_map(|node| graph.step(node)).collect();
    let is_transpose = |step: &&Step<'_>| matches!(step.op(), Op::Transpose(_));
    shown.iter().any(|step| takes_part(step)) && shown.iter().any(is_transpose)
}
