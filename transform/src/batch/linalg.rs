use super::{Batch, Lane, lane::merged, rule::exactly};
use crate::error::Result;
use iree_dsl_ir::op::{Op, Solve};

impl Batch<'_> {
    /// Where all elements have the same matrices, their right sides are columns of one.
    pub(super) fn solve(&mut self, op: Solve, lanes: &[Lane]) -> Result<Lane> {
        let [matrices, right] = exactly(lanes)?;
        if matrices.is_mapped {
            return self.elementwise(&Op::Solve(op), lanes);
        }
        let rank = self.builder.shape(right.value)?.rank();
        let last = rank - 1;
        let behind: Vec<_> = (1..rank).chain([0]).collect();
        let columns = self.builder.transpose(right.value, behind)?;
        let apart = self.builder.shape(columns)?;
        let together = merged(&apart, last - 1)?;
        let columns = self.builder.reshape(columns, &together)?;
        let solved = self
            .builder
            .emit(Op::Solve(op), &[matrices.value, columns])?;
        let solved = self.builder.reshape(solved, &apart)?;
        let before: Vec<_> = [last].into_iter().chain(0..last).collect();
        self.builder.transpose(solved, before).map(Lane::each)
    }
}
