//! Parts that IREE would compute where they are put together.

use super::{
    edits::Edits,
    program::{Program, steps},
};
use iree_dsl_ir::op::Op;

/// Puts barriers before concatenations of what is computed.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, function) in program.functions() {
        let Some(fusion) = program.fusion(id) else {
            continue;
        };
        for step in steps(function) {
            let Op::Concatenate(axis) = &step.operation.op else {
                continue;
            };
            edits
                .within(id)
                .before
                .extend(step.reading(|operand| fusion.is_separate_part(operand, *axis)));
        }
    }
}
