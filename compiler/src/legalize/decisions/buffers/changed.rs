//! What may be in a buffer that something changes in place.
//!
//! IREE 3.13 makes a copy first where something else needs the tensor as it was, and finds what does by following
//! the tensor. Behind a barrier it finds nothing: a view of the tensor there has to be a copy itself.
//! Defects `view-behind-barrier-changes` and `window-of-itself-overlaps`.

use super::Buffers;
use crate::legalize::decisions::updates::Updates;
use iree_abi::DType;
use iree_dsl_ir::{
    ConstantData, Linkage, OperationId, ValueId,
    op::{Alias, Op, Structure, UnaryOp},
};

impl Buffers<'_> {
    /// Whether a value may be in a buffer that something changes in place, with another value.
    pub(in crate::legalize) fn is_changed(&self, value: ValueId, updates: &Updates) -> bool {
        let changed = self.changed.get_or_init(|| {
            let operations = self.function.operations.iter();
            let operands = operations.flat_map(|(_, operation)| updates.operands(operation));
            self.handed().known(operands)
        });
        !self.handed().known([value]).is_disjoint(changed) && self.may_share(value)
    }

    /// Whether a value is needed as it was after an operation that changes it in place, or is computed again then, of which IREE
    /// makes one. The copy that IREE makes then may come after the change: it has two, one for a tensor of another shape, and
    /// elides the one that was made for the change. And of a constant it makes one copy, where the function begins, also for a change
    /// in a loop.
    /// Defects `tensor-is-copied-after-it-changes` and `constant-changes-in-a-loop`.
    pub(in crate::legalize) fn is_kept(&self, value: ValueId, id: OperationId) -> bool {
        if self.constants.contains(&value) {
            match self.number(value) {
                None => return true,
                Some(number) if is_filled_in(number) => return false,
                Some(_) => {}
            }
        }
        let alike = || self.alike().all(value).into_iter();
        self.is_around_constant(value)
            || self.is_used_after(value, id)
            || alike().any(|alike| alike != value && self.uses.is_read_from(alike, id))
    }

    /// Whether a part of a value is a constant: IREE puts the other parts into a copy of a tensor that has it already.
    fn is_around_constant(&self, value: ValueId) -> bool {
        let Some(maker) = self.maker(value) else {
            return false;
        };
        let structure = maker.op.structure();
        let mut operands = maker.operands.iter();
        if let Structure::Concatenate(_) = structure {
            operands.any(|operand| self.constants.contains(operand))
        } else if maker.op == Op::Unary(UnaryOp::Barrier)
            || matches!(structure, Structure::Reshape(_))
        {
            operands.any(|operand| self.is_around_constant(*operand))
        } else {
            false
        }
    }

    /// The type and the bytes of the number that a value is everywhere, if it shows a constant.
    fn number(&self, value: ValueId) -> Option<(DType, &[u8])> {
        let maker = self.maker(value)?;
        if let Op::Constant(constant) = &maker.op {
            return match &constant.data {
                ConstantData::Splat(bytes) => Some((constant.ty.dtype, bytes)),
                ConstantData::Dense(_) => None,
            };
        }
        let is_view = matches!(
            maker.op.structure(),
            Structure::Broadcast(_) | Structure::Reshape(_)
        );
        let shown = maker.operands.first().filter(|_| is_view)?;
        self.number(*shown)
    }

    /// Whether a value is used after an operation that changes something in place.
    pub(super) fn is_used_after(&self, value: ValueId, id: OperationId) -> bool {
        self.uses.outlive(&self.uses.spans([value]), id)
    }

    /// Whether a value is behind a barrier of something that is in no other buffer of the function: the host has handed it in,
    /// or a block has taken it.
    pub(in crate::legalize) fn is_taken(&self, value: ValueId) -> bool {
        let value = self.places().before_barriers(self.function, value);
        let is_public = self.function.linkage == Linkage::Public;
        match self.maker(value) {
            Some(maker) => !maker.regions.is_empty(),
            None => is_public && self.function.body.parameters.contains(&value),
        }
    }

    /// Whether what makes a value may leave it in the buffer of something that is used otherwise.
    fn may_share(&self, value: ValueId) -> bool {
        let value = self.places().before_barriers(self.function, value);
        let maker = self.places().maker(value);
        let maker = maker.and_then(|maker| self.function.operations.get(maker));
        maker.is_none_or(|maker| match maker.op.alias() {
            // In place only if nothing else needs the tensor.
            Alias::InPlace(_) | Alias::Iterations => false,
            Alias::Callee(_) => maker.operands.iter().any(|operand| {
                let results = &self.function.body.results;
                self.places().users(*operand).len() > 1 || results.contains(operand)
            }),
            Alias::New | Alias::Constant | Alias::View | Alias::Operands { .. } => true,
            Alias::Global(_) | Alias::Branches | Alias::Foreign | Alias::NoResults => true,
        })
    }
}

/// Whether IREE fills in a number wherever it is changed. More than 32 bits it fills in by a dispatch, if they are not all zero, of which
/// it makes one for all that are equal; and complex numbers it does not know.
fn is_filled_in((dtype, bytes): (DType, &[u8])) -> bool {
    !dtype.is_complex() && (bytes.len() <= 4 || bytes.iter().all(|byte| *byte == 0))
}
