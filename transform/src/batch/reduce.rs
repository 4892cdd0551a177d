use super::{Batch, Lane, lane::behind_batch, rule::exactly};
use crate::error::Result;
use iree_dsl_ir::op::{ArgReduce, Op, Reduce};

impl Batch<'_> {
    pub(super) fn reduce(&mut self, op: &Reduce, lanes: &[Lane]) -> Result<Lane> {
        let [x] = exactly(lanes)?;
        let (kind, axes) = (op.kind, behind_batch(&op.axes));
        self.emit(Op::Reduce(Reduce { kind, axes }), &[x.value])
    }

    pub(super) fn arg_reduce(&mut self, op: &ArgReduce, lanes: &[Lane]) -> Result<Lane> {
        let [x] = exactly(lanes)?;
        let (kind, axis) = (op.kind, op.axis + 1);
        self.emit(Op::ArgReduce(ArgReduce { kind, axis }), &[x.value])
    }
}
