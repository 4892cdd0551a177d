//! Complex vectors that are multiplied by themselves, as a row and as a column.
//!
//! A product of complex numbers reads the parts of both factors from memory. IREE 3.13 computes them in the dispatch of what
//! they are parts of, finds that those of a row and a column are the same, and stores them twice. The second time it does not
//! divide among workers, and refuses.

use super::graph::{Graph, Node, Step};
use iree_dsl_ir::op::Op;
use std::collections::BTreeSet;

/// The values that must be computed before they are multiplied.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut apart = BTreeSet::new();
    for (_, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let is_complex = step.result().is_some_and(|ty| ty.dtype.is_complex());
        let (Op::DotGeneral(_), [lhs, rhs], true) =
            (step.op(), step.operands.as_slice(), is_complex)
        else {
            continue;
        };
        let origin = origin(graph, *lhs);
        if lhs != rhs && origin == self::origin(graph, *rhs) && graph.step(origin).is_some() {
            apart.insert(origin);
        }
    }
    apart
}

/// What a value shows in another shape.
fn origin(graph: &Graph<'_>, node: Node) -> Node {
    graph.through(node, is_view).last().unwrap_or(node)
}

/// Whether the elements stay in their order.
fn is_view(step: &Step<'_>) -> bool {
    let dims = step.operand(0).map_or(&[][..], |ty| ty.shape.dims());
    match step.op() {
        Op::Reshape(_) => true,
        Op::Transpose(op) => {
            let axes = op.permutation.iter();
            let kept = axes.filter(|axis| dims.get(**axis).is_some_and(|dim| !dim.is_one()));
            kept.is_sorted()
        }
        _ => false,
    }
}
