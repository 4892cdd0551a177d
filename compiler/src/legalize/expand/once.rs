//! Operations that compute the same: derivatives have many, as each of its turns takes the sine and the cosine of one number.
//!
//! IREE makes one of them too, but functions that are written out with hundreds of operations are many times as long until then, and
//! of two values with a barrier behind each it computes both.

use crate::legalize::alike::Known;
use iree_dsl_ir::{
    Operation, ValueId,
    op::{Op, UnaryOp},
};
use std::collections::BTreeMap;

/// What operations compute in the blocks that are open.
#[derive(Default)]
pub(super) struct Once<'a> {
    known: Known<'a>,
    /// The first value that is computed like another.
    first: BTreeMap<ValueId, ValueId>,
}

impl<'a> Once<'a> {
    /// Begins a block.
    pub(super) fn open(&mut self) {
        self.known.open();
    }

    /// Ends the last block that is open, and forgets what it computes.
    pub(super) fn close(&mut self) {
        self.known.close();
    }

    /// The value that is computed before, element by element, as an operation would compute it. Others are computed where they are,
    /// since IREE reads views and numbers in place, and may change the buffers of what is not computed so.
    pub(super) fn before(&mut self, operation: &'a Operation) -> Option<ValueId> {
        let op = &operation.op;
        let is_seen = op.is_pure() && *op != Op::Unary(UnaryOp::Barrier);
        let ([result], [], true) = (&operation.results[..], &operation.regions[..], is_seen) else {
            return None;
        };
        let operands = operation.operands.iter();
        let operands = operands.map(|operand| self.first.get(operand).unwrap_or(operand));
        let first = self.known.first(op, operands.copied().collect(), *result);
        if first == *result {
            return None;
        }
        self.first.insert(*result, first);
        op.is_elementwise().then_some(first)
    }
}
