//! Parts that IREE would compute where they are put together.

use super::{edits::Edits, program::Program};
use iree_dsl_ir::op::Op;

/// Puts barriers before concatenations of what is computed.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, function, fusion) in program.fusions() {
        edits.within(id).read_apart(function, |operation, operand| {
            matches!(&operation.op, Op::Concatenate(axis) if fusion.is_separate_part(operand, *axis))
        });
    }
}
