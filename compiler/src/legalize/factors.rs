//! Factors of products that IREE would compute in the dispatch that packs them.

use super::{edits::Edits, program::Program};
use iree_dsl_ir::op::{Op, Structure};

/// Puts barriers before products of what is computed.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, function, fusion) in program.fusions() {
        edits.within(id).read_apart(function, |op, operand| {
            is_product(op) && fusion.is_separate_factor(operand)
        });
    }
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
