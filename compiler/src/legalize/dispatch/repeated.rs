//! Views that are repeated along an axis, where what is repeated is changed like the view, like another view of it, or like what
//! repeats it in another size.
//!
//! IREE 3.13 changes each element before it repeats it. Of two equal changes of a view it makes one then, and nothing else may
//! read the view; when it moves the change before the view as well, too late, it loses the shape ("failed to legalize unresolved
//! materialization").
//! Defect `equal-changes-of-repeated-values`.

use super::{
    graph::{Graph, Node, Step},
    sources::is_view,
};
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

/// Whether two that read a view, of which one repeats it, come to change its elements alike.
fn is_changed_alike(graph: &Graph<'_>, node: Node) -> bool {
    let readers: Vec<_> = users(graph, node)
        .map(|user| Reader::of(graph, node, user))
        .collect();
    let mut pairs = (1..).zip(&readers).flat_map(|(next, first)| {
        let others = readers.iter().skip(next);
        others.map(move |second| (first, second))
    });
    pairs.any(|(first, second)| {
        let mut changes = first.changes.iter();
        let repeats = first.repeats || second.repeats;
        repeats && changes.any(|change| second.changes.contains(change))
    })
}

/// What becomes of the elements of a view by way of one that reads it.
#[derive(Default)]
struct Reader {
    /// Whether they are repeated.
    repeats: bool,
    /// What is done to each alone, as they are or where they are moved to.
    changes: Vec<Op>,
}

impl Reader {
    fn of(graph: &Graph<'_>, view: Node, user: Node) -> Self {
        let mut reader = Self::default();
        let mut pending = vec![(view, user)];
        while let Some((value, user)) = pending.pop() {
            let Some(step) = graph.step(user) else {
                continue;
            };
            if is_view(step) {
                reader.repeats |= matches!(step.op(), Op::Broadcast(_));
                pending.extend(users(graph, user).map(|next| (user, next)));
            } else {
                reader.changes.extend(change(step, value));
            }
        }
        reader
    }
}

/// What an operation does to each element of a value first.
fn change(step: &Step<'_>, value: Node) -> Option<Op> {
    match (step.op(), step.operands.as_slice()) {
        _ if is_widened(step) => Some(Op::Convert(DType::F32)),
        // A maximum is subtracted by adding its negative.
        (Op::Binary(BinaryOp::Subtract), [_, rhs]) if *rhs == value => {
            Some(Op::Unary(UnaryOp::Negate))
        }
        (op, [_]) if op.is_elementwise() => Some(op.clone()),
        _ => None,
    }
}

/// Whether an operation may convert each element first, to compute with more digits.
fn is_widened(step: &Step<'_>) -> bool {
    let dtype = step.operand(0).map(|ty| ty.dtype);
    matches!(dtype, Some(DType::F16 | DType::BF16)) && computes(step.op())
}

/// Whether an operation does more with elements than to move them.
fn computes(op: &Op) -> bool {
    match op.structure() {
        Structure::Elementwise | Structure::Reduction(_) | Structure::Scan(_) => true,
        Structure::ReduceWindow(_) | Structure::Convolution(_) | Structure::Contraction(_) => true,
        Structure::Scatter(_) | Structure::Extremum(_) | Structure::Sort(_) => true,
        Structure::Transform | Structure::Factor | Structure::System(_) => true,
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
        Structure::Broadcast(_) | Structure::Reshape(_) | Structure::Transpose(_) => false,
        Structure::Reverse(_) | Structure::Slice(_) | Structure::Window(_) => false,
        Structure::Update | Structure::Gather(_) => false,
        Structure::Concatenate(_) | Structure::Pad(_) => false,
        Structure::Branches | Structure::Iterations | Structure::Effect => false,
    }
}

fn users(graph: &Graph<'_>, node: Node) -> impl Iterator<Item = Node> {
    let users: BTreeSet<Node> = graph.users(node).collect();
    users.into_iter()
}
