use super::{Batch, Lane, rule::exactly};
use crate::error::Result;
use iree_dsl_ir::op::{ArgSort, Cumulate, Op};

impl Batch<'_> {
    pub(super) fn arg_sort(&mut self, op: &ArgSort, lanes: &[Lane]) -> Result<Lane> {
        let [x] = exactly(lanes)?;
        let (axis, descending) = (op.axis + 1, op.descending);
        self.emit(Op::ArgSort(ArgSort { axis, descending }), &[x.value])
    }

    pub(super) fn cumulate(&mut self, op: &Cumulate, lanes: &[Lane]) -> Result<Lane> {
        let [x] = exactly(lanes)?;
        let (kind, axis) = (op.kind, op.axis + 1);
        self.emit(Op::Cumulate(Cumulate { kind, axis }), &[x.value])
    }
}
