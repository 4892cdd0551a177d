//! Reductions and products of what is the same number everywhere.
//!
//! IREE 3.13 writes such a number into the code that combines the elements, unless it has folded it before, which it does for
//! few operations and for known sizes only. That code then reads nothing that it could vectorise along: the number is
//! combined once for each vector.
//! Defect `constant-is-combined-once-a-vector`.

use super::{
    fixed::{Fixed, multiplies},
    graph::{Graph, Node, Step},
};
use iree_dsl_ir::op::{Op, Structure};
use std::collections::BTreeSet;

/// The values that must be in memory before they are combined.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let fixed = Fixed::of(graph);
    let mut apart = BTreeSet::new();
    for (_, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let is_fixed = step.operands.iter().all(|operand| fixed.contains(*operand));
        if is_fixed && combines(step.op()) && !multiplies(step) {
            let operands = step.operands.iter();
            apart.extend(
                operands.filter(|operand| is_unknown(step) || is_computed(graph, **operand)),
            );
        }
    }
    apart
}

/// Whether each element of the result is made of several.
fn combines(op: &Op) -> bool {
    match op.structure() {
        Structure::Reduction(_) | Structure::Extremum(_) | Structure::Scan(_) => true,
        Structure::ReduceWindow(_) | Structure::Convolution(_) | Structure::Contraction(_) => true,
        Structure::Sort(_)
        | Structure::Transform
        | Structure::Factor
        | Structure::System(_)
        | Structure::Scatter(_) => false,
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
        Structure::Elementwise | Structure::Broadcast(_) | Structure::Reshape(_) => false,
        Structure::Transpose(_) | Structure::Reverse(_) | Structure::Slice(_) => false,
        Structure::Window(_) | Structure::Update | Structure::Gather(_) => false,
        Structure::Concatenate(_) | Structure::Pad(_) => false,
        Structure::Branches | Structure::Iterations | Structure::Effect => false,
    }
}

fn is_computed(graph: &Graph<'_>, node: Node) -> bool {
    let step = graph.step(node);
    step.is_some_and(|step| !matches!(step.op(), Op::Constant(_)))
}

fn is_unknown(step: &Step<'_>) -> bool {
    let operand = step.operand(0);
    operand.is_some_and(|ty| ty.shape.known().is_none())
}
