//! How loops are linearised.

use super::{
    again::{Again, HandedOn},
    behind::Behind,
    counted::Counted,
    iterations::{Carried, Iterations, Stack},
    recipe::{Needed, Recipe},
    rows::{stacked, write},
    side::Side,
    trips::{self, Counter, TripCount},
};
use crate::{
    builder::Builder,
    error::{Error, Reason, Result},
    flow::Flow,
    tape::{NodeId, Tape},
    walk::{Mode, Walk, refused},
};
use iree_abi::{DType, Dim, Extent, TensorType};
use iree_dsl_ir::{Operation, OperationId, ValueId, op::BinaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// Of how many iterations is kept what they start with, where no size tells how many there are: enough that none of 50,000
/// runs more than four times again.
const PLACES: usize = 32;

/// The linear maps of a body.
struct Body {
    tape: Tape,
    /// What stands in it for values around the loop, and those.
    captured: Vec<(NodeId, NodeId)>,
    /// What it is given and hands on; `None` for zeros.
    carried: Vec<(Carried, Option<NodeId>)>,
}

impl Walk<'_> {
    /// A loop that reads what changes.
    pub(crate) fn repeat(&mut self, id: OperationId, operation: Operation) -> Result<()> {
        let active = self.active(&operation);
        match self.mode {
            Mode::Forward => self.repeat_forward(id, operation, &active),
            Mode::Reverse => self.repeat_reverse(id, operation, &active),
        }
    }

    /// Which of the carried values have tangents, after some iterations.
    fn active(&self, operation: &Operation) -> Vec<usize> {
        let mut flow = Flow::of_tangents(
            &self.context.builder.function,
            self.tangents.keys().copied(),
        );
        flow.operation(operation);
        let results = operation.results.iter().enumerate();
        let active = results.filter(|(_, id)| flow.reaches(**id));
        active.map(|(position, _)| position).collect()
    }

    /// Iterations hand on tangents too.
    fn repeat_forward(
        &mut self,
        id: OperationId,
        mut operation: Operation,
        active: &[usize],
    ) -> Result<()> {
        let results = pick(&operation.results, active)?;
        let types = self.context.builder.types(&results)?;
        let first = pick(&operation.operands, active)?;
        let first = self.tangents_or_zeros(&first, &types)?;
        let region = region_mut(&mut operation, 1)?;
        self.context.builder.open(Vec::new());
        for position in active {
            let parameter = at(&region.parameters, *position)?;
            let tangent = self.given_tangent(parameter)?;
            region.parameters.push(tangent);
        }
        self.block(&region.operations)?;
        let next = pick(&region.results, active)?;
        let next = self.tangents_or_zeros(&next, &types)?;
        region.results = self.named(&region.results);
        region.results.extend(next);
        region.operations = self.context.builder.close();
        operation.operands = self.named(&operation.operands);
        operation.operands.extend(first);
        self.condition(&mut operation, &types)?;
        for result in results {
            let tangent = self.given_tangent(result)?;
            operation.results.push(tangent);
        }
        self.replace(id, operation)
    }

    /// Gives the condition parameters for more that is carried, which it does not read.
    fn condition(&mut self, operation: &mut Operation, more: &[TensorType]) -> Result<()> {
        let region = region_mut(operation, 0)?;
        self.rename_region(region)?;
        let more = more.iter().cloned();
        let parameters = more.map(|ty| self.context.builder.value(ty));
        region.parameters.extend(parameters);
        Ok(())
    }

    fn tangents_or_zeros(
        &mut self,
        values: &[ValueId],
        types: &[TensorType],
    ) -> Result<Vec<ValueId>> {
        let tangents = self.tangents_of(values)?;
        let mut found = Vec::with_capacity(types.len());
        for (tangent, ty) in tangents.into_iter().zip(types) {
            found.push(match tangent {
                Some(tangent) => tangent,
                None => self.context.builder.zeros(ty)?,
            });
        }
        Ok(found)
    }

    /// The body has a tape, and what that keeps is stacked.
    fn repeat_reverse(
        &mut self,
        id: OperationId,
        mut operation: Operation,
        active: &[usize],
    ) -> Result<()> {
        let Body {
            mut tape,
            mut captured,
            mut carried,
        } = self.body(&mut operation, active)?;
        let counter = self.counter(&mut operation)?;
        let index = at(&region_mut(&mut operation, 1)?.parameters, counter.position)?;
        let bound = self.places(id, &counter);
        let region = region_mut(&mut operation, 1)?;
        let builder = &self.context.builder;
        let behind = match bound.is_none() && counter.trips != TripCount::Unknown {
            true => Behind::take(builder, &mut tape, &captured, region)?,
            false => Vec::new(),
        };
        let (mut written, mut read) = (Vec::new(), BTreeMap::new());
        if let Some(counted) = Counted::of(region, index, &counter) {
            written = counted.take(builder, &mut tape, &mut carried)?;
            read = counted.read_in_order(builder, behind.iter().map(Behind::kept))?;
        }
        let (carried, results): (Vec<_>, Vec<_>) = carried.into_iter().unzip();
        let rows = written.iter().map(|written| written.row);
        let reached = tape.reached(results.iter().copied().flatten().chain(rows));
        captured.retain(|(input, _)| reached.contains(input));
        let (inputs, captured) = captured.into_iter().unzip();
        let Needed {
            mut recipe,
            mut saved,
        } = Needed::of(
            builder,
            &region.parameters,
            &region.operations,
            &[index],
            tape.kept(),
        )?;
        for kept in behind.iter().map(Behind::kept) {
            if !saved.contains(&kept) {
                saved.push(kept);
            }
        }
        saved.retain(|kept| !read.contains_key(kept));
        let start = at(&operation.operands, counter.position)?;
        let again = match bound.filter(|_| !saved.is_empty()) {
            None => None,
            Some(places) => {
                let again;
                (again, recipe, saved) = self.again(&operation, index, places, tape.kept())?;
                Some(again)
            }
        };
        let mut stacks = self.stack(&mut operation, &counter, &saved)?;
        let end = at(&operation.results, counter.position)?;
        let (span, outputs) = (operation.span, pick(&operation.results, active)?);
        self.replace(id, operation)?;
        for (inner, rows) in read {
            stacks.push(self.read_rows(&counter, inner, rows)?);
        }
        let count = self.count(&counter, start, end)?;
        let iterations = Iterations {
            body: Side {
                tape,
                recipe,
                inputs,
                results,
            },
            captured,
            behind,
            carried,
            written,
            stacks,
            again,
            index,
            start,
            count,
            most: match counter.trips {
                TripCount::AtMost(most) => Some(most),
                TripCount::Exactly(_) | TripCount::Unknown => None,
            },
            span,
        };
        let types = self.context.builder.types(&outputs)?;
        let nodes = self.context.tape.iterations(iterations, types);
        self.tangents.extend(outputs.into_iter().zip(nodes));
        Ok(())
    }

    /// Linearises the body of a loop, and names what the loop reads.
    fn body(&mut self, operation: &mut Operation, active: &[usize]) -> Result<Body> {
        let region = region_mut(operation, 1)?;
        let captured = self.captured(std::slice::from_ref(region));
        let entered = self.enter_tape(&captured, |walk, inputs| {
            let mut parameters = Vec::with_capacity(active.len());
            for position in active {
                let parameter = at(&region.parameters, *position)?;
                let ty = walk.context.builder.ty(parameter)?;
                let node = walk.context.tape.input(ty);
                walk.tangents.insert(parameter, node);
                parameters.push(node);
            }
            walk.context.builder.open(Vec::new());
            walk.block(&region.operations)?;
            let results = pick(&region.results, active)?;
            let results = results.iter().map(|id| walk.tangents.get(id).copied());
            let results: Vec<Option<NodeId>> = results.collect();
            Ok((inputs, parameters, results))
        })?;
        let (tape, (inputs, parameters, results)) = entered;
        region.operations = self.context.builder.close();
        region.results = self.named(&region.results);
        let first = pick(&operation.operands, active)?;
        let first = first.iter().map(|id| self.tangents.get(id).copied());
        let carried = parameters.into_iter().zip(first).enumerate();
        let carried = carried.map(|(output, (parameter, first))| Carried {
            output,
            parameter,
            first,
        });
        let carried = carried.zip(results).collect();
        operation.operands = self.named(&operation.operands);
        self.condition(operation, &[])?;
        let nodes = captured.into_iter().map(|(_, node)| node);
        Ok(Body {
            tape,
            captured: inputs.into_iter().zip(nodes).collect(),
            carried,
        })
    }

    /// Of how many iterations is kept what they start with, if not all of them keep something.
    fn places(&self, id: OperationId, counter: &Counter) -> Option<usize> {
        let bound = self.checkpoints.bounded.get(&id).copied();
        let unknown = counter.is_known && counter.trips == TripCount::Unknown;
        let places = bound.or_else(|| unknown.then_some(PLACES))?;
        let most = counter.trips.most().and_then(Extent::known);
        let most = most.and_then(|most| usize::try_from(most).ok());
        Some(most.map_or(places, |most| places.min(most)).max(1))
    }

    /// How what an iteration starts with is computed again, how then what it keeps, and what must be saved.
    fn again(
        &self,
        operation: &Operation,
        index: ValueId,
        places: usize,
        kept: Vec<ValueId>,
    ) -> Result<(Again, Recipe, Vec<ValueId>)> {
        let body = operation.regions.get(1);
        let body = body.ok_or(Error::Lost("a region of a loop"))?;
        let few = |values: Vec<ValueId>| {
            let builder = &self.context.builder;
            Needed::of_few(builder, &body.parameters, &body.operations, values)
        };
        let Needed { recipe, saved } = few(kept)?;
        let mut handed = Vec::new();
        let mut all: BTreeSet<_> = saved.into_iter().collect();
        let steps = loop {
            handed.clear();
            let positions = body.parameters.iter().enumerate();
            for (position, parameter) in positions {
                if *parameter != index && all.contains(parameter) {
                    handed.push(HandedOn {
                        first: at(&operation.operands, position)?,
                        parameter: *parameter,
                        result: at(&body.results, position)?,
                    });
                }
            }
            let next = handed.iter().map(|handed| handed.result).collect();
            let Needed { recipe, saved } = few(next)?;
            let before = all.len();
            all.extend(saved);
            if all.len() == before {
                break recipe;
            }
        };
        for parameter in &body.parameters {
            all.remove(parameter);
        }
        let again = Again {
            places,
            handed,
            steps,
        };
        Ok((again, recipe, all.into_iter().collect()))
    }

    /// The counter of a loop, which gets one if it has none.
    fn counter(&mut self, operation: &mut Operation) -> Result<Counter> {
        if let Some(counter) = trips::counter(&self.context.builder.function, operation) {
            return Ok(counter);
        }
        let ty = TensorType::new(DType::I32, []);
        let position = operation.operands.len();
        operation.operands.push(self.context.builder.zeros(&ty)?);
        operation
            .results
            .push(self.context.builder.value(ty.clone()));
        let unread = self.context.builder.value(ty.clone());
        region_mut(operation, 0)?.parameters.push(unread);
        let region = region_mut(operation, 1)?;
        let parameter = self.context.builder.value(ty);
        region.parameters.push(parameter);
        self.context
            .builder
            .open(std::mem::take(&mut region.operations));
        region
            .results
            .push(self.context.builder.plus(parameter, 1.0)?);
        region.operations = self.context.builder.close();
        Ok(Counter {
            position,
            start: Some(Extent::from(0)),
            trips: TripCount::Unknown,
            is_known: false,
            end: None,
        })
    }

    /// Stacks values of the body along a new first axis.
    fn stack(
        &mut self,
        operation: &mut Operation,
        counter: &Counter,
        saved: &[ValueId],
    ) -> Result<Vec<Stack>> {
        if saved.is_empty() {
            return Ok(Vec::new());
        }
        let most = counter.trips.most();
        let most = most.ok_or_else(|| refused(operation, Reason::Uncounted))?;
        let most = Dim::from_extent(most.clone()).ok_or(Error::Lost("a size"))?;
        let start = at(&operation.operands, counter.position)?;
        let mut stacks = Vec::with_capacity(saved.len());
        let builder = &mut self.context.builder;
        let body = std::mem::take(&mut region_mut(operation, 1)?.operations);
        let index = at(&region_mut(operation, 1)?.parameters, counter.position)?;
        let mut parameters = Vec::with_capacity(saved.len());
        for inner in saved {
            let ty = stacked(&builder.ty(*inner)?, most.clone());
            operation.operands.push(builder.zeros(&ty)?);
            let (unread, parameter) = (builder.value(ty.clone()), builder.value(ty.clone()));
            region_mut(operation, 0)?.parameters.push(unread);
            parameters.push(parameter);
            let stack = builder.value(ty);
            operation.results.push(stack);
            let inner = *inner;
            stacks.push(Stack { inner, stack });
        }
        builder.open(body);
        let place = distance(builder, index, start)?;
        let region = region_mut(operation, 1)?;
        for (parameter, inner) in parameters.into_iter().zip(saved) {
            region.parameters.push(parameter);
            region
                .results
                .push(write(builder, parameter, place, *inner)?);
        }
        region.operations = builder.close();
        Ok(stacks)
    }

    /// What iterations read of a tensor one after the other, as if it had been stacked.
    fn read_rows(&mut self, counter: &Counter, inner: ValueId, rows: ValueId) -> Result<Stack> {
        let builder = &mut self.context.builder;
        let most = counter.trips.most().cloned().and_then(Dim::from_extent);
        let ty = stacked(&builder.ty(inner)?, most.ok_or(Error::Lost("a size"))?);
        let stack = builder.reshape(rows, &ty.shape)?;
        Ok(Stack { inner, stack })
    }

    /// How many iterations there were, as an `i32`.
    fn count(&mut self, counter: &Counter, start: ValueId, end: ValueId) -> Result<ValueId> {
        let builder = &mut self.context.builder;
        match counter.trips.exactly() {
            Some(trips) => builder.place(trips),
            None => distance(builder, end, start),
        }
    }
}

/// How far a counter is from where it started, as an `i32`.
fn distance(builder: &mut Builder, counter: ValueId, start: ValueId) -> Result<ValueId> {
    let distance = builder.binary(BinaryOp::Subtract, counter, start)?;
    builder.convert(distance, DType::I32)
}

fn region_mut(operation: &mut Operation, position: usize) -> Result<&mut iree_dsl_ir::Region> {
    let region = operation.regions.get_mut(position);
    region.ok_or(Error::Lost("a region of a loop"))
}

fn at(values: &[ValueId], position: usize) -> Result<ValueId> {
    let value = values.get(position).copied();
    value.ok_or(Error::Lost("a value that a loop carries"))
}

fn pick(values: &[ValueId], positions: &[usize]) -> Result<Vec<ValueId>> {
    let positions = positions.iter();
    positions.map(|position| at(values, *position)).collect()
}
