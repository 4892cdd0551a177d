//! Long chains of operations that move elements and compute nothing, as of a state that is shifted again and again.
//!
//! IREE 3.13 asks of each tensor what becomes of it, along all that move it, and gives up if the way is too long. What is computed
//! begins anew.
//! Defect `long-chains-of-moves`.

use iree_dsl_ir::{
    Function, Operation, OperationId, ValueId,
    op::{Op, Structure, UnaryOp},
};
use std::collections::{BTreeMap, BTreeSet};

/// How many moves follow each other. IREE gives up at some thirty-two.
const MOST: usize = 24;

/// Operands, by their position, that are copied so that no chain is too long.
pub(super) fn cuts(function: &Function) -> BTreeSet<(OperationId, usize)> {
    let mut lengths: BTreeMap<ValueId, usize> = BTreeMap::new();
    let mut cuts = BTreeSet::new();
    for (id, operation) in function.operations.iter() {
        if !moves(operation) {
            continue;
        }
        let mut length = 0;
        for (position, operand) in operation.operands.iter().enumerate() {
            match lengths.get(operand) {
                Some(before) if *before >= MOST => drop(cuts.insert((id, position))),
                Some(before) => length = length.max(*before),
                None => {}
            }
        }
        let results = operation.results.iter();
        lengths.extend(results.map(|result| (*result, length + 1)));
    }
    cuts
}

/// Whether an operation moves elements in memory.
fn moves(operation: &Operation) -> bool {
    match operation.op.structure() {
        Structure::Slice(_) | Structure::Window(_) | Structure::Update => true,
        Structure::Concatenate(_) | Structure::Reshape(_) | Structure::Pad(_) => true,
        Structure::Elementwise => operation.op == Op::Unary(UnaryOp::Barrier),
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
        Structure::Broadcast(_) | Structure::Transpose(_) | Structure::Reverse(_) => false,
        Structure::Gather(_) | Structure::Scatter(_) | Structure::Reduction(_) => false,
        Structure::Extremum(_) | Structure::Contraction(_) | Structure::ReduceWindow(_) => false,
        Structure::Convolution(_) | Structure::Scan(_) | Structure::Sort(_) => false,
        Structure::Transform | Structure::Factor | Structure::System(_) => false,
        Structure::Branches | Structure::Iterations | Structure::Effect => false,
    }
}
