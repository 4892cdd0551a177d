use super::{Batch, Lane, rule::exactly};
use crate::error::Result;
use iree_dsl_ir::{
    ValueId,
    op::{Observation, Op, Reduce, ReduceKind},
};

impl Batch<'_> {
    /// Shows the batch, once.
    pub(super) fn trace(&mut self, observation: &Observation, lanes: &[Lane]) -> Result<Vec<Lane>> {
        let operands: Vec<ValueId> = lanes.iter().map(|lane| lane.value).collect();
        let trace = Op::Trace(observation.clone());
        self.builder
            .emit_with_regions(trace, &operands, Vec::new())?;
        Ok(Vec::new())
    }

    /// What must hold for one element must hold for all.
    pub(super) fn assert(
        &mut self,
        observation: &Observation,
        lanes: &[Lane],
    ) -> Result<Vec<Lane>> {
        let [holds] = exactly(lanes)?;
        let (kind, axes) = (ReduceKind::All, vec![0]);
        let all = self
            .builder
            .emit(Op::Reduce(Reduce { kind, axes }), &[holds.value])?;
        let assert = Op::Assert(observation.clone());
        self.builder.emit_with_regions(assert, &[all], Vec::new())?;
        Ok(Vec::new())
    }
}
