//! What only some elements of a batch get to.

use super::{Batch, Lane, lane::replaced};
use crate::{derive::is_differentiable, effect, error::Result};
use iree_abi::{DType, Dim, TensorType};
use iree_dsl_ir::{
    Function, Operation, Region, ValueId,
    op::{
        ArgReduce, BinaryOp, Cost, DynamicSlice, Effect, ExtremumKind, Op, Reduce, ReduceKind,
        UnaryOp,
    },
};

/// A region with more operations than this is not cheap.
const CHEAP_OPERATIONS: usize = 32;

impl Batch<'_> {
    /// Runs something for the elements of a mask only: where it matters, the others see the values that one of them has. The
    /// block that is open does not run if there is none.
    pub(super) fn only_for<T>(
        &mut self,
        mask: ValueId,
        region: &Region,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let mut fed = Vec::new();
        if self.deriving || !self.is_total(region) {
            let reads = effect::reads_of(&self.builder.function, region).into_iter();
            let lanes = reads.filter_map(|id| Some((id, *self.lanes.get(&id)?)));
            fed.extend(lanes.filter(|(_, lane)| lane.is_mapped));
        }
        let values: Vec<_> = fed.iter().map(|(_, lane)| lane.value).collect();
        let values = self.feed(mask, &values)?;
        for ((id, _), value) in fed.iter().zip(values) {
            self.lanes.insert(*id, Lane::each(value));
        }
        let outer = self.mask.replace(mask);
        let done = run(self);
        self.mask = outer;
        self.lanes.extend(fed);
        done
    }

    /// Gives all elements that are not in a mask the values of the first one that is. There is one.
    pub(super) fn feed(&mut self, mask: ValueId, values: &[ValueId]) -> Result<Vec<ValueId>> {
        if values.is_empty() {
            return Ok(Vec::new());
        }
        let (kind, axis) = (ExtremumKind::Maximum, 0);
        let numbers = self.builder.convert(mask, DType::I32)?;
        let first = self
            .builder
            .emit(Op::ArgReduce(ArgReduce { kind, axis }), &[numbers])?;
        let mut fed = Vec::with_capacity(values.len());
        for value in values {
            let all = self.everywhere(*value, first)?;
            fed.push(self.chosen(mask, *value, all)?);
        }
        Ok(fed)
    }

    /// The value of one element for all, as a constant.
    fn everywhere(&mut self, value: ValueId, element: ValueId) -> Result<ValueId> {
        let TensorType { dtype, shape } = self.builder.ty(value)?;
        let sizes = replaced(&shape, 0..1, &[Dim::Static(1)]);
        let zero = self.builder.splat_like(0.0, element)?;
        let rest = std::iter::repeat_n(zero, shape.rank().saturating_sub(1));
        let operands: Vec<_> = [value, element].into_iter().chain(rest).collect();
        let slice = Op::DynamicSlice(DynamicSlice { sizes });
        let mut row = self.builder.emit(slice, &operands)?;
        if is_differentiable(dtype) {
            row = self.builder.unary(UnaryOp::StopGradient, row)?;
        }
        self.builder
            .broadcast(row, &shape, (0..shape.rank()).collect())
    }

    /// For elements in a mask one value, for the others another.
    pub(super) fn chosen(&mut self, mask: ValueId, x: ValueId, y: ValueId) -> Result<ValueId> {
        if x == y {
            return Ok(x);
        }
        let shape = self.builder.shape(x)?;
        let mask = self.builder.broadcast(mask, &shape, vec![0])?;
        self.builder.select(mask, x, y)
    }

    /// The elements of a mask that get here.
    pub(super) fn here(&mut self, mask: ValueId) -> Result<ValueId> {
        match self.mask {
            Some(outer) => self.builder.binary(BinaryOp::And, outer, mask),
            None => Ok(mask),
        }
    }

    /// Whether there is an element in a mask.
    pub(super) fn any(&mut self, mask: ValueId) -> Result<ValueId> {
        let (kind, axes) = (ReduceKind::Any, vec![0]);
        self.builder
            .emit(Op::Reduce(Reduce { kind, axes }), &[mask])
    }

    /// Whether nobody could tell for which elements a region runs.
    pub(super) fn is_total(&self, region: &Region) -> bool {
        let steps = self.steps(&self.builder.function, region);
        steps.iter().all(|step| match step.op.effect() {
            Effect::Pure | Effect::Reads(_) | Effect::Calls(_) => true,
            Effect::Regions => step.op == Op::If,
            Effect::Writes(_) | Effect::Shows(_) | Effect::Checks(_) => false,
            Effect::CallsHost(_) | Effect::Foreign(_) => false,
        })
    }

    /// Whether asking if a region has to run may take longer than running it.
    pub(super) fn is_cheap(&self, region: &Region) -> bool {
        let steps = self.steps(&self.builder.function, region);
        steps.len() <= CHEAP_OPERATIONS
            && steps.iter().all(|step| match step.op.cost() {
                Cost::Free | Cost::View | Cost::Movement => true,
                Cost::Elementwise | Cost::Transcendental | Cost::Reduction => true,
                Cost::Windows | Cost::Contraction | Cost::Along => false,
                Cost::Control => step.op == Op::If || step.op.callee().is_some(),
            })
    }

    /// The operations of a region, also in regions of these and in what they call.
    fn steps<'s>(&'s self, function: &'s Function, region: &Region) -> Vec<&'s Operation> {
        let mut found = Vec::new();
        let operations = region.operations.iter();
        for step in operations.filter_map(|id| function.operations.get(*id)) {
            found.push(step);
            for region in &step.regions {
                found.extend(self.steps(function, region));
            }
            let callee = step.op.callee().map(|call| call.callee);
            if let Some(callee) = callee.and_then(|id| self.module.functions.get(id)) {
                found.extend(self.steps(callee, &callee.body));
            }
        }
        found
    }
}
