//! Operations that undo others, such as `(a ^ b) ^ b`.
//!
//! IREE 3.13 sees that only where both are in one dispatch, which then has two results that are equal. It keeps one of them,
//! and where that is not the first of all results it takes another one for it.
//! Defect `undone-operation-takes-another-result`.

use super::graph::{Graph, Node, Step};
use iree_abi::{DTypeClass, TensorType};
use iree_dsl_ir::op::{BinaryOp, Op, UnaryOp};
use std::collections::BTreeSet;

/// The values that must be in memory before they are undone.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let steps = graph.steps();
    let undone = steps.flat_map(|step| {
        let operands = step.operands.iter().copied();
        operands.filter(|operand| {
            let original = graph
                .step(*operand)
                .and_then(|inner| original(step, *operand, inner));
            original.is_some_and(|original| is_result(graph, original))
        })
    });
    undone.chain(shared_parts(graph)).collect()
}

/// Complex numbers that several operations read. IREE computes the parts of a number that operations put together for each
/// of them, and then finds that they are equal.
fn shared_parts(graph: &Graph<'_>) -> impl Iterator<Item = Node> {
    let shared = graph.nodes().filter(|(_, computed)| {
        let step = computed.step.as_ref();
        computed.is_used_again() && step.is_some_and(puts_parts_together)
    });
    shared.map(|(node, _)| node)
}

fn puts_parts_together(step: &Step<'_>) -> bool {
    let is_complex = |ty: &TensorType| ty.dtype.class() == DTypeClass::Complex;
    step.result().is_some_and(is_complex) && step.op().is_elementwise()
}

/// Whether something is computed and then read by more than what is undone.
fn is_result(graph: &Graph<'_>, node: Node) -> bool {
    let computed = graph.get(node);
    computed.is_some_and(|computed| computed.step.is_some() && computed.is_used_again())
}

/// What an operation gives back, if it undoes the one that computes an operand of it.
fn original(outer: &Step<'_>, operand: Node, inner: &Step<'_>) -> Option<Node> {
    let position = match (outer.op(), inner.op()) {
        (Op::Unary(outer @ (UnaryOp::Negate | UnaryOp::Not)), Op::Unary(inner)) => {
            (outer == inner).then_some(0)
        }
        (Op::Unary(UnaryOp::Real), Op::Binary(BinaryOp::Complex)) => Some(0),
        (Op::Unary(UnaryOp::Imag), Op::Binary(BinaryOp::Complex)) => Some(1),
        (Op::Convert(_), Op::Convert(_)) | (Op::Bitcast(_), Op::Bitcast(_)) => {
            (outer.result() == inner.operand(0)).then_some(0)
        }
        (Op::Binary(BinaryOp::Xor), Op::Binary(BinaryOp::Xor))
        | (Op::Binary(BinaryOp::Add), Op::Binary(BinaryOp::Subtract))
        | (Op::Binary(BinaryOp::Subtract), Op::Binary(BinaryOp::Add | BinaryOp::Subtract)) => {
            remaining(outer, operand, inner)
        }
        _ => None,
    };
    inner.operands.get(position?).copied()
}

/// Of the two operands of an operation the position of that which is not the other operand of the one that undoes it.
fn remaining(outer: &Step<'_>, operand: Node, inner: &Step<'_>) -> Option<usize> {
    // Sums of floats are rounded, so that nothing undoes them.
    let is_exact = |ty: &TensorType| ty.dtype.class() != DTypeClass::Float;
    if !outer.result().is_some_and(is_exact) {
        return None;
    }
    let other = outer.operands.iter().find(|other| **other != operand)?;
    let shared = inner.operands.iter().position(|one| one == other)?;
    Some(1 - shared.min(1))
}
