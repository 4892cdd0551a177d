use super::{Batch, Lane};
use crate::error::{Error, Result};
use iree_abi::TensorType;
use iree_dsl_ir::{
    Operation, OperationId, Region, ValueId,
    op::{Op, UnaryOp},
};

impl Batch<'_> {
    pub(super) fn branch(&mut self, operation: &Operation) -> Result<Vec<Lane>> {
        let condition = operation.operands.first().copied();
        let condition = self.lane(condition.ok_or(Error::Lost("a condition"))?);
        match condition.is_mapped {
            true => self.both_sides(operation, condition.value),
            false => self.one_side(operation, condition.value),
        }
    }

    /// All elements take the same side.
    fn one_side(&mut self, operation: &Operation, condition: ValueId) -> Result<Vec<Lane>> {
        let mut sides = Vec::with_capacity(operation.regions.len());
        for region in &operation.regions {
            self.builder.open(Vec::new());
            let results = self.inside(region)?;
            sides.push((self.builder.close(), results));
        }
        let count = operation.results.len();
        let is_mapped = |position| {
            let mut lanes = sides.iter().filter_map(|(_, lanes)| lanes.get(position));
            lanes.any(|lane: &Lane| lane.is_mapped)
        };
        let mapped: Vec<bool> = (0..count).map(is_mapped).collect();
        let mut regions = Vec::with_capacity(sides.len());
        for (operations, results) in sides {
            regions.push(self.region(operations, &results, &mapped)?);
        }
        let results = self
            .builder
            .emit_with_regions(Op::If, &[condition], regions)?;
        Ok(lanes(results, &mapped))
    }

    /// A region without parameters, of which some results differ from element to element.
    fn region(
        &mut self,
        operations: Vec<OperationId>,
        lanes: &[Lane],
        mapped: &[bool],
    ) -> Result<Region> {
        self.builder.open(operations);
        let results = self.spread_some(lanes, mapped)?;
        Ok(Region {
            parameters: Vec::new(),
            operations: self.builder.close(),
            results,
        })
    }

    /// The values of each element, where there are some.
    pub(super) fn spread_some(&mut self, lanes: &[Lane], mapped: &[bool]) -> Result<Vec<ValueId>> {
        let lanes = lanes.iter().zip(mapped);
        let values = lanes.map(|(lane, is_mapped)| match is_mapped {
            true => self.spread(*lane),
            false => Ok(lane.value),
        });
        values.collect()
    }

    /// Elements take one side or the other.
    fn both_sides(&mut self, operation: &Operation, taken: ValueId) -> Result<Vec<Lane>> {
        let [then, otherwise] = operation.regions.as_slice() else {
            return Err(Error::Lost("a side of a branch"));
        };
        let types = self.builder.types(&operation.results)?;
        let not_taken = self.builder.unary(UnaryOp::Not, taken)?;
        let then = self.side(then, taken, &types)?;
        let otherwise = self.side(otherwise, not_taken, &types)?;
        let mut results = Vec::with_capacity(types.len());
        for (then, otherwise) in then.into_iter().zip(otherwise) {
            if then == otherwise {
                results.push(then);
                continue;
            }
            let (then, otherwise) = (self.spread(then)?, self.spread(otherwise)?);
            results.push(Lane::each(self.chosen(taken, then, otherwise)?));
        }
        Ok(results)
    }

    /// What one side computes for the elements in a mask.
    fn side(&mut self, region: &Region, mask: ValueId, types: &[TensorType]) -> Result<Vec<Lane>> {
        let is_empty = region.operations.is_empty();
        if is_empty || !self.deriving && self.is_total(region) && self.is_cheap(region) {
            return self.inside(region);
        }
        let mask = self.here(mask)?;
        let some = self.any(mask)?;
        let mapped = vec![true; types.len()];
        self.builder.open(Vec::new());
        let results = self.only_for(mask, region, |batch| {
            let lanes = batch.inside(region)?;
            batch.spread_all(&lanes)
        })?;
        let runs = Region {
            parameters: Vec::new(),
            operations: self.builder.close(),
            results,
        };
        self.builder.open(Vec::new());
        let mut zeros = Vec::with_capacity(types.len());
        for ty in types {
            let ty = self.batched(ty);
            zeros.push(self.builder.zeros(&ty)?);
        }
        let skipped = Region {
            parameters: Vec::new(),
            operations: self.builder.close(),
            results: zeros,
        };
        let regions = vec![runs, skipped];
        let results = self.builder.emit_with_regions(Op::If, &[some], regions)?;
        Ok(lanes(results, &mapped))
    }
}

/// Values, some of which differ from element to element.
pub(super) fn lanes(values: Vec<ValueId>, mapped: &[bool]) -> Vec<Lane> {
    let values = values.into_iter().zip(mapped.iter().copied());
    values
        .map(|(value, is_mapped)| Lane { value, is_mapped })
        .collect()
}
