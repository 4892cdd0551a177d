//! Factors of products of sizes of the call that IREE would compute in the dispatch of the product.
//!
//! IREE 3.13 also widens a factor there, and keeps what it widened if something else reads it so, `(einsum!("ab,ba->a", x, x),
//! x.cumsum(0))`: on the stack, where the product reads it along two axes.
//! Defect `widened-value-is-kept-on-the-stack`.

use super::{edits::Edits, program::Program};
use iree_abi::DType;
use iree_dsl_ir::{
    Function, Operation, ValueId,
    op::{Op, Structure},
};
use std::collections::BTreeSet;

/// Puts barriers before products of what is computed, and of what they read along two axes beside others.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, function, fusion) in program.fusions() {
        let read_besides = read_besides(function);
        edits.within(id).read_apart(function, |operation, operand| {
            let is_computed = is_product(&operation.op) && fusion.is_separate_factor(operand);
            is_computed || reads_across(function, operation) && read_besides.contains(&operand)
        });
    }
}

/// Whether an operation multiplies vectors of a tensor of `f32` and of sizes of the call, which it sums with more digits, with those
/// along its other axes.
fn reads_across(function: &Function, operation: &Operation) -> bool {
    let (Op::DotGeneral(op), [lhs, rhs]) = (&operation.op, &operation.operands[..]) else {
        return false;
    };
    let Some(ty) = function.ty(*lhs).filter(|_| lhs == rhs) else {
        return false;
    };
    let are_vectors = op.vectors(&ty.shape, &ty.shape) == [true, true];
    let axes_differ = op.batch.0 != op.batch.1 || op.contract.0 != op.contract.1;
    ty.dtype == DType::F32 && ty.shape.known().is_none() && are_vectors && axes_differ
}

/// What other operations than such products read, or a block hands on.
fn read_besides(function: &Function) -> BTreeSet<ValueId> {
    let operations = function.operations.iter().map(|(_, operation)| operation);
    let others = operations.filter(|operation| !reads_across(function, operation));
    let read = others.flat_map(|operation| {
        let handed_on = operation.regions.iter().flat_map(|region| &region.results);
        operation.operands.iter().chain(handed_on)
    });
    read.chain(&function.body.results).copied().collect()
}

/// Whether an operation sums products, of which IREE packs the factors.
pub(super) fn is_product(op: &Op) -> bool {
    match op.structure() {
        Structure::Contraction(_)
        | Structure::Convolution(_)
        | Structure::Transform
        | Structure::Factor
        | Structure::System(_) => true,
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
        Structure::Elementwise | Structure::Broadcast(_) | Structure::Reshape(_) => false,
        Structure::Transpose(_) | Structure::Reverse(_) | Structure::Slice(_) => false,
        Structure::Window(_) | Structure::Update | Structure::Gather(_) => false,
        Structure::Concatenate(_) | Structure::Pad(_) | Structure::Scatter(_) => false,
        Structure::Reduction(_) | Structure::Extremum(_) | Structure::ReduceWindow(_) => false,
        Structure::Scan(_) | Structure::Sort(_) => false,
        Structure::Branches | Structure::Iterations | Structure::Effect => false,
    }
}
