//! Matrices that are multiplied by a vector and used besides.
//!
//! IREE 3.13 computes such a matrix in the dispatch of the product, which stores it along the axis that the product sums
//! up. It does not divide that among workers, and refuses the dispatch where few columns give it no other axis to divide.
//! Defect `multiplied-matrix-is-stored`.

use super::graph::{Graph, Node, Step};
use iree_dsl_ir::op::Op;
use std::collections::BTreeSet;

/// The values that must be computed before they are multiplied.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut apart = BTreeSet::new();
    for (_, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let matrix = matrix(step).and_then(|position| step.operands.get(position));
        apart.extend(
            matrix
                .into_iter()
                .flat_map(|factor| used_again(graph, *factor)),
        );
    }
    apart
}

/// Which factor of a product is a matrix, if IREE knows all sizes and the other one is a vector.
fn matrix(step: &Step<'_>) -> Option<usize> {
    let (Op::DotGeneral(op), Some(lhs), Some(rhs)) = (step.op(), step.operand(0), step.operand(1))
    else {
        return None;
    };
    let is_known = lhs.shape.known().is_some() && rhs.shape.known().is_some();
    if !is_known || step.is_parallel() || !op.batch.0.is_empty() {
        return None;
    }
    match op.vectors(&lhs.shape, &rhs.shape) {
        [true, false] => Some(1),
        [false, true] => Some(0),
        [true, true] | [false, false] => None,
    }
}

/// The nearest values behind a factor that others use too.
fn used_again(graph: &Graph<'_>, factor: Node) -> Vec<Node> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([factor]);
    let mut pending = vec![factor];
    while let Some(node) = pending.pop() {
        let Some(computed) = graph.get(node) else {
            continue;
        };
        let step = computed.step.as_ref().filter(|step| step.is_parallel());
        match step {
            Some(_) if computed.is_used_again() => found.push(node),
            Some(step) => {
                let operands = step.operands.iter().copied();
                pending.extend(operands.filter(|operand| seen.insert(*operand)));
            }
            // The dispatch may be the one that copies it, where the program changes it.
            None if graph.is_argument(node) && computed.is_used_again() => found.push(node),
            None => {}
        }
    }
    found
}
