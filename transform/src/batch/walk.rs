//! Goes over a block.

use super::{Batch, Lane};
use crate::{
    effect,
    error::{Error, Result},
};
use iree_dsl_ir::{Operation, OperationId, Region, ValueId};

impl Batch<'_> {
    /// Puts operations into the block that is open.
    pub(super) fn block(&mut self, operations: &[OperationId]) -> Result<()> {
        self.block_within(operations, usize::MAX)
    }

    /// The same, of the groups that are run again and start with the first operation the innermost `most`.
    fn block_within(&mut self, operations: &[OperationId], mut most: usize) -> Result<()> {
        let mut rest = operations;
        while let Some((id, others)) = rest.split_first() {
            if let Some((within, group, behind)) = self.checkpoints.group(rest, most) {
                self.checkpoint(group, within)?;
                rest = behind;
            } else {
                self.operation(*id)?;
                rest = others;
            }
            most = usize::MAX;
        }
        Ok(())
    }

    /// What is run again in reverse mode still is.
    fn checkpoint(&mut self, operations: &[OperationId], within: usize) -> Result<()> {
        let before = self.builder.len();
        self.block_within(operations, within)?;
        let put = self.builder.since(before);
        self.checkpoints.run_again(put);
        Ok(())
    }

    fn operation(&mut self, id: OperationId) -> Result<()> {
        let operation = self.builder.operation(id)?;
        self.builder.span = operation.span;
        if !self.differs(&operation) {
            return self.keep(id, operation);
        }
        let before = self.builder.len();
        let results = self.results(&operation)?;
        if let Some(most) = self.checkpoints.bounded.get(&id).copied() {
            let put = self.builder.since(before);
            let function = &self.builder.function;
            self.checkpoints.bound(function, &put, most, false);
        }
        if results.len() != operation.results.len() {
            return Err(Error::Lost("a result for each element"));
        }
        self.lanes
            .extend(operation.results.into_iter().zip(results));
        Ok(())
    }

    /// Whether it matters for which element an operation runs.
    fn differs(&self, operation: &Operation) -> bool {
        let function = &self.builder.function;
        let reads = effect::reads(function, operation);
        reads.iter().any(|id| self.lane(*id).is_mapped)
            || effect::stores(function, operation)
            || effect::calls_host(self.module, function, operation)
    }

    /// Puts an operation that is the same for all elements into the block.
    fn keep(&mut self, id: OperationId, mut operation: Operation) -> Result<()> {
        self.rename(&mut operation)?;
        self.builder.put(id, operation)?;
        self.builder.push(id);
        Ok(())
    }

    /// Gives what an operation reads the names that it has now.
    fn rename(&mut self, operation: &mut Operation) -> Result<()> {
        self.rename_all(&mut operation.operands);
        for region in &mut operation.regions {
            for id in &region.operations {
                let mut inner = self.builder.operation(*id)?;
                self.rename(&mut inner)?;
                self.builder.put(*id, inner)?;
            }
            self.rename_all(&mut region.results);
        }
        Ok(())
    }

    fn rename_all(&self, ids: &mut [ValueId]) {
        for id in ids {
            *id = self.lane(*id).value;
        }
    }

    /// Puts what a region does into the block that is open, and returns what it hands on.
    pub(super) fn inside(&mut self, region: &Region) -> Result<Vec<Lane>> {
        let span = self.builder.span;
        self.block(&region.operations)?;
        self.builder.span = span;
        Ok(self.all_lanes(&region.results))
    }
}
