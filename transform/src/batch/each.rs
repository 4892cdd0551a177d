//! Operations that run once for each element, one after the other.

use super::{Batch, Lane};
use crate::{
    builder::with_first,
    effect,
    error::{Error, Result},
};
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::{
    Operation, Region, ValueId,
    op::{CompareOp, DynamicSlice, Op},
};

impl Batch<'_> {
    /// A loop over the elements, for one operation. Functions of the host are asked for elements only that get here.
    pub(super) fn one_by_one(&mut self, operation: &Operation) -> Result<Vec<Lane>> {
        let is_host = effect::calls_host(self.module, &self.builder.function, operation);
        let mask = self.mask.filter(|_| is_host);
        let types = self.builder.types(&operation.results)?;
        let index = TensorType::new(DType::I32, []);
        let mut first = vec![self.builder.zeros(&index)?];
        for ty in &types {
            let ty = self.batched(ty);
            first.push(self.builder.zeros(&ty)?);
        }
        let carried = self.builder.types(&first)?;
        let condition = self.is_left(&carried)?;
        let body = self.one(operation, mask, &types, &carried)?;
        let regions = vec![condition, body];
        let results = self.builder.emit_with_regions(Op::While, &first, regions)?;
        let results = results.get(1..).unwrap_or_default();
        let results = match mask {
            Some(mask) if !results.is_empty() => self.fed_if_any(mask, results)?,
            _ => results.to_vec(),
        };
        Ok(results.into_iter().map(Lane::each).collect())
    }

    fn is_left(&mut self, carried: &[TensorType]) -> Result<Region> {
        let parameters = self.values(carried);
        let index = first(&parameters)?;
        self.builder.open(Vec::new());
        let size = self
            .size
            .extent()
            .ok_or(Error::Lost("the size of a batch"))?;
        let size = self.builder.place(&size)?;
        let is_left = self.builder.compare(CompareOp::Less, index, size)?;
        Ok(Region {
            parameters,
            operations: self.builder.close(),
            results: vec![is_left],
        })
    }

    /// The iteration for one element.
    fn one(
        &mut self,
        operation: &Operation,
        mask: Option<ValueId>,
        types: &[TensorType],
        carried: &[TensorType],
    ) -> Result<Region> {
        let parameters = self.values(carried);
        let index = first(&parameters)?;
        self.builder.open(Vec::new());
        let results = match mask {
            None => self.run_at(operation, index)?,
            Some(mask) => {
                let is_here = self.element(Lane::each(mask), index)?;
                self.builder.open(Vec::new());
                let results = self.run_at(operation, index)?;
                let runs = region(self.builder.close(), results);
                self.builder.open(Vec::new());
                let zeros = types.iter().map(|ty| self.builder.zeros(ty));
                let zeros = zeros.collect::<Result<Vec<_>>>()?;
                let skipped = region(self.builder.close(), zeros);
                let sides = vec![runs, skipped];
                self.builder.emit_with_regions(Op::If, &[is_here], sides)?
            }
        };
        let mut next = vec![self.builder.plus(index, 1.0)?];
        for (stack, result) in parameters.iter().skip(1).zip(results) {
            next.push(self.put(*stack, result, index)?);
        }
        Ok(Region {
            parameters,
            operations: self.builder.close(),
            results: next,
        })
    }

    /// Runs an operation for one element.
    fn run_at(&mut self, operation: &Operation, index: ValueId) -> Result<Vec<ValueId>> {
        let mut operands = Vec::with_capacity(operation.operands.len());
        for lane in self.all_lanes(&operation.operands) {
            operands.push(self.element(lane, index)?);
        }
        let op = operation.op.clone();
        self.builder.emit_with_regions(op, &operands, Vec::new())
    }

    /// The value of one element.
    fn element(&mut self, lane: Lane, index: ValueId) -> Result<ValueId> {
        if !lane.is_mapped {
            return Ok(lane.value);
        }
        let shape = self.element_shape(lane)?;
        let sizes = with_first(Dim::Static(1), &shape);
        let operands = [vec![lane.value], self.starts(index, &shape)?].concat();
        let row = self
            .builder
            .emit(Op::DynamicSlice(DynamicSlice { sizes }), &operands)?;
        self.builder.reshape(row, &shape)
    }

    /// The values of all elements with that of one replaced.
    fn put(&mut self, stack: ValueId, value: ValueId, index: ValueId) -> Result<ValueId> {
        let shape = self.builder.shape(value)?;
        let row = self
            .builder
            .reshape(value, &with_first(Dim::Static(1), &shape))?;
        let operands = [vec![stack, row], self.starts(index, &shape)?].concat();
        self.builder.emit(Op::DynamicUpdateSlice, &operands)
    }

    fn starts(&mut self, index: ValueId, shape: &Shape) -> Result<Vec<ValueId>> {
        let zero = self.builder.splat_like(0.0, index)?;
        let rest = std::iter::repeat_n(zero, shape.rank());
        Ok(std::iter::once(index).chain(rest).collect())
    }

    /// Feeds elements that are not in a mask, if there is one that is.
    fn fed_if_any(&mut self, mask: ValueId, values: &[ValueId]) -> Result<Vec<ValueId>> {
        let some = self.any(mask)?;
        self.builder.open(Vec::new());
        let fed = self.feed(mask, values)?;
        let fed = region(self.builder.close(), fed);
        let as_is = region(Vec::new(), values.to_vec());
        let sides = vec![fed, as_is];
        self.builder.emit_with_regions(Op::If, &[some], sides)
    }

    fn values(&mut self, types: &[TensorType]) -> Vec<ValueId> {
        let types = types.iter().cloned();
        types.map(|ty| self.builder.value(ty)).collect()
    }
}

fn region(operations: Vec<iree_dsl_ir::OperationId>, results: Vec<ValueId>) -> Region {
    Region {
        parameters: Vec::new(),
        operations,
        results,
    }
}

fn first(values: &[ValueId]) -> Result<ValueId> {
    let first = values.first().copied();
    first.ok_or(Error::Lost("a value that a loop carries"))
}
