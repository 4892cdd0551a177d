//! Branches that do little, once nothing asks any more which one is taken.

use super::builder::FunctionBuilder;
use iree_dsl_ir::{
    Operation, OperationId, Region, ValueId,
    op::{Broadcast, InferError, Op},
};

impl FunctionBuilder {
    /// Makes branches that do little selections between what both compute.
    pub(crate) fn select_cheap_branches(&mut self) -> Result<(), InferError> {
        let mut body = std::mem::take(&mut self.function.body);
        self.select_in(&mut body)?;
        self.function.body = body;
        Ok(())
    }

    fn select_in(&mut self, region: &mut Region) -> Result<(), InferError> {
        for id in std::mem::take(&mut region.operations) {
            let Some(mut operation) = self.function.operations.get(id).cloned() else {
                continue;
            };
            for inner in &mut operation.regions {
                self.select_in(inner)?;
            }
            let is_cheap = operation.regions.iter().all(|region| self.is_cheap(region));
            if operation.op == Op::If && is_cheap {
                region.operations.extend(self.selections(&operation)?);
                continue;
            }
            if let Some(place) = self.function.operations.get_mut(id) {
                *place = operation;
            }
            region.operations.push(id);
        }
        Ok(())
    }

    /// What both sides do, and a selection for each result.
    fn selections(&mut self, operation: &Operation) -> Result<Vec<OperationId>, InferError> {
        let sides = operation.regions.iter();
        let mut steps: Vec<_> = sides.flat_map(|side| side.operations.clone()).collect();
        let ([then, otherwise], Some(condition)) =
            (operation.regions.as_slice(), operation.operands.first())
        else {
            return Ok(vec![]);
        };
        let results = then.results.iter().zip(&otherwise.results);
        for ((then, otherwise), result) in results.zip(&operation.results) {
            steps.extend(self.selection([*condition, *then, *otherwise], *result, operation)?);
        }
        Ok(steps)
    }

    /// A selection that defines a value.
    fn selection(
        &mut self,
        [condition, then, otherwise]: [ValueId; 3],
        result: ValueId,
        operation: &Operation,
    ) -> Result<Vec<OperationId>, InferError> {
        let tensors = [condition, then, otherwise].map(|id| self.tensor(id));
        let [Some(mut mask), Some(then), Some(otherwise)] = tensors else {
            return Ok(Vec::new());
        };
        let mut steps = Vec::with_capacity(2);
        if mask.ty.shape != then.ty.shape {
            let (shape, axes) = (then.ty.shape.clone(), Vec::new());
            let everywhere = Op::Broadcast(Broadcast { shape, axes });
            let (id, results) = self.create(everywhere, &[&mask], Vec::new(), operation.span)?;
            steps.push(id);
            mask = results.into_iter().next().unwrap_or(mask);
        }
        let operands = [&mask, &then, &otherwise];
        let (id, _) = self.create(Op::Select, &operands, Vec::new(), operation.span)?;
        if let Some(select) = self.function.operations.get_mut(id) {
            select.results = vec![result];
        }
        steps.push(id);
        Ok(steps)
    }
}
