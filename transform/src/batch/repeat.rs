use super::{Batch, Lane, branch::lanes};
use crate::{
    copy::Values,
    error::{Error, Result},
    flow::Flow,
    region::counter,
};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{
    Operation, Region, ValueId,
    op::{BinaryOp, CompareOp, Op, Reduce, ReduceKind},
};

/// What counts the iterations of a loop.
struct Count {
    /// Which of the carried values it is.
    position: usize,
    /// Where it starts.
    start: Lane,
    /// The most iterations that there can be, as an `i32`, if something tells.
    most: Option<ValueId>,
}

/// The values that an iteration with a mask takes.
struct Iteration {
    /// How many there were before.
    index: ValueId,
    /// Which elements go on.
    going: ValueId,
    carried: Vec<ValueId>,
}

impl Iteration {
    fn values(&self) -> Vec<ValueId> {
        [&[self.index, self.going], self.carried.as_slice()].concat()
    }
}

impl Batch<'_> {
    pub(super) fn repeat(&mut self, operation: &Operation) -> Result<Vec<Lane>> {
        let [condition, body] = operation.regions.as_slice() else {
            return Err(Error::Lost("a region of a loop"));
        };
        let lanes = self.lanes.iter().filter(|(_, lane)| lane.is_mapped);
        let mapped = lanes.map(|(id, _)| *id);
        let mut flow = Flow::of_elements(self.module, &self.builder.function, mapped);
        flow.operation(operation);
        let ends_apart = condition.results.iter().any(|id| flow.reaches(*id));
        let mapped = body.parameters.iter().map(|id| flow.reaches(*id));
        let mapped: Vec<bool> = mapped.collect();
        match ends_apart {
            true => self.apart(operation, condition, body),
            false => self.together(operation, condition, body, &mapped),
        }
    }

    /// All elements go round equally often.
    fn together(
        &mut self,
        operation: &Operation,
        condition: &Region,
        body: &Region,
        mapped: &[bool],
    ) -> Result<Vec<Lane>> {
        let first = self.all_lanes(&operation.operands);
        let first = self.spread_some(&first, mapped)?;
        let mut regions = Vec::with_capacity(2);
        for region in [condition, body] {
            let mut parameters = region.parameters.clone();
            for (parameter, is_mapped) in parameters.iter_mut().zip(mapped) {
                if *is_mapped {
                    let ty = self.builder.ty(*parameter)?;
                    let ty = self.batched(&ty);
                    let own = self.builder.value(ty);
                    self.lanes.insert(*parameter, Lane::each(own));
                    *parameter = own;
                }
            }
            let is_body = std::ptr::eq(region, body);
            self.builder.open(Vec::new());
            let results = self.inside(region)?;
            let mapped = if is_body { mapped } else { &[false] };
            let results = self.spread_some(&results, mapped)?;
            regions.push(Region {
                parameters,
                operations: self.builder.close(),
                results,
            });
        }
        let results = self.builder.emit_with_regions(Op::While, &first, regions)?;
        Ok(lanes(results, mapped))
    }

    /// Elements end the loop on their own: it goes on until none goes on, and those that are done stay what they are.
    fn apart(
        &mut self,
        operation: &Operation,
        condition: &Region,
        body: &Region,
    ) -> Result<Vec<Lane>> {
        let count = self.count(operation)?;
        let behind = self.builder.copy_region(condition, Values::new())?;
        let first = self.all_lanes(&operation.operands);
        self.bind(&condition.parameters, &first);
        let more = self.inside(condition)?;
        let more = self.holds(&more)?;
        let going = self.here(more)?;
        let index = self.builder.zeros(&TensorType::new(DType::I32, []))?;
        let first = Iteration {
            index,
            going,
            carried: self.spread_all(&first)?,
        };
        let types = self.builder.types(&first.values())?;
        let regions = vec![
            self.goes_on(&types, count.as_ref())?,
            self.iteration(&types, body, &behind, count.as_ref())?,
        ];
        let operands = first.values();
        let results = self
            .builder
            .emit_with_regions(Op::While, &operands, regions)?;
        Ok(results.into_iter().skip(2).map(Lane::each).collect())
    }

    /// Whether an element goes on. A bound is said again, for who asks how many iterations there are.
    fn goes_on(&mut self, types: &[TensorType], count: Option<&Count>) -> Result<Region> {
        let iteration = self.given(types)?;
        self.builder.open(Vec::new());
        let mut goes_on = self.any(iteration.going)?;
        if let Some(most) = count.and_then(|count| count.most) {
            let is_less = self
                .builder
                .compare(CompareOp::Less, iteration.index, most)?;
            goes_on = self.builder.binary(BinaryOp::And, is_less, goes_on)?;
        }
        Ok(Region {
            parameters: iteration.values(),
            operations: self.builder.close(),
            results: vec![goes_on],
        })
    }

    /// What an iteration does for the elements that go on, and then whether they still do.
    fn iteration(
        &mut self,
        types: &[TensorType],
        body: &Region,
        behind: &Region,
        count: Option<&Count>,
    ) -> Result<Region> {
        let iteration = self.given(types)?;
        self.builder.open(Vec::new());
        let before: Vec<_> = iteration.carried.iter().copied().map(Lane::each).collect();
        self.bind(&body.parameters, &before);
        // The same in all iterations that an element takes part in.
        let count = count.filter(|count| !count.start.is_mapped);
        if let Some(count) = count {
            let now = self.counted(count, iteration.index)?;
            self.bind_one(&body.parameters, count.position, Lane::shared(now));
        }
        let next = self.only_for(iteration.going, body, |batch| batch.inside(body))?;
        let mut carried = Vec::with_capacity(next.len());
        for (new, old) in next.iter().zip(&iteration.carried) {
            let new = self.spread(*new)?;
            carried.push(self.chosen(iteration.going, new, *old)?);
        }
        let now: Vec<_> = carried.iter().copied().map(Lane::each).collect();
        self.bind(&behind.parameters, &now);
        if let Some(position) = count.map(|count| count.position)
            && let Some(next) = next.get(position)
        {
            self.bind_one(&behind.parameters, position, *next);
        }
        let more = self.only_for(iteration.going, behind, |batch| batch.inside(behind))?;
        let more = self.holds(&more)?;
        let next = Iteration {
            index: self.builder.plus(iteration.index, 1.0)?,
            going: self.builder.binary(BinaryOp::And, iteration.going, more)?,
            carried,
        };
        Ok(Region {
            parameters: iteration.values(),
            operations: self.builder.close(),
            results: next.values(),
        })
    }

    fn count(&mut self, operation: &Operation) -> Result<Option<Count>> {
        let Some(counter) = counter(&self.builder.function, operation) else {
            return Ok(None);
        };
        let start = operation.operands.get(counter.position).copied();
        let start = self.lane(start.ok_or(Error::Lost("where a counter starts"))?);
        let most = match (counter.trips.most(), counter.end) {
            (Some(most), _) => Some(self.builder.place(most)?),
            (None, Some(end)) if self.deriving => Some(self.distance(self.lane(end), start)?),
            (None, _) => None,
        };
        Ok(Some(Count {
            position: counter.position,
            start,
            most,
        }))
    }

    /// How far it is at most from where a counter starts to where it ends, in numbers that have room for it.
    fn distance(&mut self, end: Lane, start: Lane) -> Result<ValueId> {
        let is_mapped = end.is_mapped || start.is_mapped;
        let [end, start] = match is_mapped {
            true => [self.spread(end)?, self.spread(start)?],
            false => [end.value, start.value],
        };
        let end = self.builder.convert(end, DType::I64)?;
        let start = self.builder.convert(start, DType::I64)?;
        let mut distance = self.builder.subtract(end, start)?;
        if is_mapped {
            let (kind, axes) = (ReduceKind::Maximum, vec![0]);
            let farthest = Op::Reduce(Reduce { kind, axes });
            distance = self.builder.emit(farthest, &[distance])?;
        }
        let most = self.builder.splat_like(f64::from(i32::MAX), distance)?;
        let distance = self.builder.binary(BinaryOp::Minimum, distance, most)?;
        self.builder.convert(distance, DType::I32)
    }

    /// The counter in an iteration.
    fn counted(&mut self, count: &Count, index: ValueId) -> Result<ValueId> {
        let start = count.start.value;
        let ty = self.builder.ty(start)?;
        let index = self.builder.convert(index, ty.dtype)?;
        self.builder.add(start, index)
    }

    fn bind(&mut self, names: &[ValueId], lanes: &[Lane]) {
        let lanes = names.iter().copied().zip(lanes.iter().copied());
        self.lanes.extend(lanes);
    }

    fn bind_one(&mut self, names: &[ValueId], position: usize, lane: Lane) {
        let name = names.get(position).copied();
        self.lanes.extend(name.map(|name| (name, lane)));
    }

    /// For which elements a condition holds.
    fn holds(&mut self, results: &[Lane]) -> Result<ValueId> {
        let holds = results.first().copied();
        self.spread(holds.ok_or(Error::Lost("the condition of a loop"))?)
    }

    /// Values of these types for a region to take.
    fn given(&mut self, types: &[TensorType]) -> Result<Iteration> {
        let values: Vec<_> = types
            .iter()
            .map(|ty| self.builder.value(ty.clone()))
            .collect();
        match values.as_slice() {
            [index, going, carried @ ..] => Ok(Iteration {
                index: *index,
                going: *going,
                carried: carried.to_vec(),
            }),
            _ => Err(Error::Lost("a value that a loop carries")),
        }
    }
}
