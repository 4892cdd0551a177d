use super::{Batch, Lane};
use crate::error::Result;
use iree_dsl_ir::op::Op;

impl Batch<'_> {
    /// What has the same places as its operands.
    pub(super) fn elementwise(&mut self, op: &Op, lanes: &[Lane]) -> Result<Lane> {
        let operands = self.spread_all(lanes)?;
        self.emit(op.clone(), &operands)
    }
}
