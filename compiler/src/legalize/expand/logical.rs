//! Truth values that are compared as numbers are.

use iree_abi::DType;
use iree_dsl_ir::{
    Function, Operation,
    op::{BinaryOp, Op, Reduce, ReduceKind},
};

/// The logical operation that an operation is on truth values: the greatest of them is whether one is true, the least whether all are.
///
/// IREE 3.13 makes one of both, which would else be two values to other passes.
/// Defect `read-along-two-axes`.
pub(super) fn of(function: &Function, operation: &Operation) -> Option<Op> {
    let ty = function.ty(*operation.results.first()?)?;
    if ty.dtype != DType::Bool {
        return None;
    }
    if let Op::Reduce(reduce) = &operation.op {
        let axes = reduce.axes.clone();
        return reduced(reduce.kind).map(|kind| Op::Reduce(Reduce { kind, axes }));
    }
    let is = |op| operation.op == Op::Binary(op);
    let logical = [
        (BinaryOp::Maximum, BinaryOp::Or),
        (BinaryOp::Minimum, BinaryOp::And),
    ];
    let found = logical.into_iter().find(|(numeric, _)| is(*numeric));
    found.map(|(_, logical)| Op::Binary(logical))
}

fn reduced(kind: ReduceKind) -> Option<ReduceKind> {
    match kind {
        ReduceKind::Maximum => Some(ReduceKind::Any),
        ReduceKind::Minimum => Some(ReduceKind::All),
        ReduceKind::Sum | ReduceKind::Product | ReduceKind::All | ReduceKind::Any => None,
    }
}
