//! Factors of products of sizes of the call that IREE would compute in the dispatch of the product.
//!
//! IREE 3.13 also widens a factor there, and keeps what it widened for others that need it so, `(einsum!("ab,ba->a", x, x),
//! x.cumsum(0))`: on the stack, if the product reads it along two axes.

use super::{edits::Edits, program::Program};
use iree_dsl_ir::{
    Function, Operation,
    op::{Op, Structure},
};

/// Puts barriers before products of what is computed.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, function, fusion) in program.fusions() {
        edits.within(id).read_apart(function, |operation, operand| {
            let is_separate = || fusion.is_separate_factor(operand);
            is_product(&operation.op) && is_separate() || multiplies_lines(function, operation)
        });
    }
}

/// Whether an operation multiplies lines of a tensor of a size of the call with other lines of it.
fn multiplies_lines(function: &Function, operation: &Operation) -> bool {
    let (Op::DotGeneral(op), [lhs, rhs]) = (&operation.op, &operation.operands[..]) else {
        return false;
    };
    let shape = function.ty(*lhs).map(|ty| &ty.shape);
    let is_unknown = shape
        .is_some_and(|shape| shape.known().is_none() && op.vectors(shape, shape) == [true, true]);
    let are_other = op.batch.0 != op.batch.1 || op.contract.0 != op.contract.1;
    lhs == rhs && is_unknown && are_other
}

/// Whether an operation sums products, of which IREE packs the factors.
pub(super) fn is_product(op: &Op) -> bool {
    match op.structure() {
        Structure::Contraction(_) | Structure::Convolution(_) | Structure::Transform => true,
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
        Structure::Elementwise | Structure::Broadcast(_) | Structure::Reshape(_) => false,
        Structure::Transpose(_) | Structure::Reverse(_) | Structure::Slice(_) => false,
        Structure::Window(_) | Structure::Update | Structure::Gather(_) => false,
        Structure::Concatenate(_) | Structure::Pad | Structure::Scatter(_) => false,
        Structure::Reduction(_) | Structure::Extremum(_) | Structure::ReduceWindow(_) => false,
        Structure::Scan(_) | Structure::Sort(_) => false,
        Structure::Branches | Structure::Rounds | Structure::Effect => false,
    }
}
