//! Values that are repeated along an axis in two sizes, and then changed alike.
//!
//! IREE 3.13 changes each element before it repeats it. Where it finds such a change twice, of a value with an axis of size
//! one that it was given for this, it makes one of both and loses the shape ("failed to legalize unresolved
//! materialization").
//! Defect `equal-changes-of-repeated-values`.

use super::graph::{Graph, Node};
use iree_dsl_ir::op::{BinaryOp, Op, UnaryOp};
use std::collections::BTreeSet;

/// The values that must be computed before they are repeated.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let nodes = graph.nodes();
    let reshaped = nodes.filter(|(_, computed)| {
        let step = computed.step.as_ref();
        step.is_some_and(|step| matches!(step.op(), Op::Reshape(_)))
    });
    reshaped
        .map(|(node, _)| node)
        .filter(|node| is_changed_alike(graph, *node))
        .collect()
}

/// Whether two repetitions of a value, which have different sizes, are changed alike.
fn is_changed_alike(graph: &Graph<'_>, node: Node) -> bool {
    let repetitions = users(graph, node)
        .filter(|user| matches!(graph.step(*user).map(|it| it.op()), Some(Op::Broadcast(_))));
    let changes: Vec<Vec<Op>> = repetitions
        .map(|repetition| changes(graph, repetition))
        .collect();
    changes.iter().enumerate().any(|(place, first)| {
        let others = changes.iter().skip(place + 1).flatten();
        others.into_iter().any(|change| first.contains(change))
    })
}

/// What is done to each element of a value alone.
fn changes(graph: &Graph<'_>, node: Node) -> Vec<Op> {
    let change = |user: Node| {
        let step = graph.step(user)?;
        match (step.op(), step.operands.as_slice()) {
            // A maximum is subtracted by adding its negative.
            (Op::Binary(BinaryOp::Subtract), [_, rhs]) if *rhs == node => {
                Some(Op::Unary(UnaryOp::Negate))
            }
            (op, [_]) if op.is_elementwise() => Some(op.clone()),
            _ => None,
        }
    };
    users(graph, node).filter_map(change).collect()
}

fn users(graph: &Graph<'_>, node: Node) -> impl Iterator<Item = Node> {
    let users: BTreeSet<Node> = graph.users(node).collect();
    users.into_iter()
}
