use super::{Batch, Lane, rule::exactly};
use crate::error::Result;
use iree_dsl_ir::op::{Op, ReduceWindow, WindowStep};

impl Batch<'_> {
    /// Along the batch, windows have one place.
    pub(super) fn reduce_window(&mut self, op: &ReduceWindow, lanes: &[Lane]) -> Result<Lane> {
        let [x] = exactly(lanes)?;
        let op = ReduceWindow {
            kind: op.kind,
            sizes: [&[1], op.sizes.as_slice()].concat(),
            steps: [&[WindowStep::ONE], op.steps.as_slice()].concat(),
        };
        self.emit(Op::ReduceWindow(op), &[x.value])
    }
}
