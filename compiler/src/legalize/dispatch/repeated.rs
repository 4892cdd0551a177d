//! Views that are repeated along an axis, where what is repeated is changed like the view, or like what repeats it in another size.
//!
//! IREE 3.13 changes each element before it repeats it. Of two equal changes of a view it makes one then, and nothing else may
//! read the view; when it moves the change before the view as well, too late, it loses the shape ("failed to legalize unresolved
//! materialization").
//! Defect `equal-changes-of-repeated-values`.

use super::graph::{Graph, Node, Step};
use iree_abi::DType;
use iree_dsl_ir::op::{BinaryOp, Op, Structure, UnaryOp};
use std::collections::BTreeSet;

/// The views that must be in memory before they are repeated.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let nodes = graph.nodes();
    let views = nodes.filter(|(_, computed)| {
        let step = computed.step.as_ref();
        let structure = step.map(|step| step.op().structure());
        matches!(
            structure,
            Some(Structure::Reshape(_) | Structure::Transpose(_))
        )
    });
    views
        .map(|(node, _)| node)
        .filter(|node| is_changed_alike(graph, *node))
        .collect()
}

/// Whether a view and what repeats it are changed alike, or two of these that have different sizes.
fn is_changed_alike(graph: &Graph<'_>, node: Node) -> bool {
    let repetitions = users(graph, node)
        .filter(|user| matches!(graph.step(*user).map(|it| it.op()), Some(Op::Broadcast(_))));
    let all: Vec<Vec<Op>> = std::iter::once(node)
        .chain(repetitions)
        .map(|value| changes(graph, value))
        .collect();
    all.iter().enumerate().any(|(place, first)| {
        let others = all.iter().skip(place + 1).flatten();
        others.into_iter().any(|change| first.contains(change))
    })
}

/// What is done to each element of a value alone.
fn changes(graph: &Graph<'_>, node: Node) -> Vec<Op> {
    let change = |user: Node| {
        let step = graph.step(user)?;
        match (step.op(), step.operands.as_slice()) {
            (op, _) if op.is_elementwise() && is_widened(step) => Some(Op::Convert(DType::F32)),
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

/// Whether an operation may convert each element first, to compute with more digits.
fn is_widened(step: &Step<'_>) -> bool {
    let dtype = step.operand(0).map(|ty| ty.dtype);
    matches!(dtype, Some(DType::F16 | DType::BF16))
}

fn users(graph: &Graph<'_>, node: Node) -> impl Iterator<Item = Node> {
    let users: BTreeSet<Node> = graph.users(node).collect();
    users.into_iter()
}
