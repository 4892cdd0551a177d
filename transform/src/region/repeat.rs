//! How loops are linearised.

use super::{
    iterations::{Again, Carried, Iterations, Stack},
    recipe::{Needed, Recipe},
    side::Side,
    trips::{self, Counter},
};
use crate::{
    builder::{Builder, with_first},
    checkpoint::may_run_again,
    error::{Error, Reason, Result},
    flow::Flow,
    tape::NodeId,
    walk::{Mode, Walk, refused},
};
use iree_abi::{DType, Dim, Extent, TensorType};
use iree_dsl_ir::{
    Operation, OperationId, ValueId,
    op::{BinaryOp, Op},
};

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
        let region = region_mut(&mut operation, 1)?;
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
            let results = results.iter();
            let results = results.map(|id| walk.tangents.get(id).copied()).collect();
            Ok((inputs, parameters, results))
        })?;
        let (tape, (inputs, parameters, results)) = entered;
        region.operations = self.context.builder.close();
        region.results = self.named(&region.results);
        let first = pick(&operation.operands, active)?;
        let first = first.iter().map(|id| self.tangents.get(id).copied());
        let first: Vec<Option<NodeId>> = first.collect();
        operation.operands = self.named(&operation.operands);
        self.condition(&mut operation, &[])?;
        let counter = self.counter(&mut operation)?;
        let index = at(&region_mut(&mut operation, 1)?.parameters, counter.position)?;
        let region = region_mut(&mut operation, 1)?;
        let builder = &self.context.builder;
        let Needed { mut recipe, saved } = Needed::of(
            builder,
            &region.parameters,
            &region.operations,
            &[index],
            tape.kept(),
        )?;
        let start = at(&operation.operands, counter.position)?;
        let again = match saved.is_empty() || counter.most.is_some() || !counter.is_known {
            true => None,
            false => {
                recipe = self.whole_body(&operation)?;
                Some(Again::of(&operation)?)
            }
        };
        let stacks = match again {
            Some(_) => Vec::new(),
            None => self.stack(&mut operation, &counter, &saved)?,
        };
        let end = at(&operation.results, counter.position)?;
        let (span, outputs) = (operation.span, pick(&operation.results, active)?);
        self.replace(id, operation)?;
        let count = self.count(&counter, start, end)?;
        let carried = parameters.into_iter().zip(first);
        let iterations = Iterations {
            body: Side {
                tape,
                recipe,
                inputs,
                results,
            },
            captured: captured.iter().map(|(_, node)| *node).collect(),
            carried: carried
                .map(|(parameter, first)| Carried { parameter, first })
                .collect(),
            stacks,
            again,
            index,
            start,
            count,
            most: counter.most.filter(|_| !counter.is_exact),
            span,
        };
        let types = self.context.builder.types(&outputs)?;
        let nodes = self.context.tape.iterations(iterations, types);
        self.tangents.extend(outputs.into_iter().zip(nodes));
        Ok(())
    }

    /// All that the body of a loop computes.
    fn whole_body(&self, operation: &Operation) -> Result<Recipe> {
        let body = operation.regions.get(1);
        let body = body.ok_or(Error::Lost("a region of a loop"))?;
        let builder = &self.context.builder;
        let mut again = Vec::with_capacity(body.operations.len());
        for id in &body.operations {
            let step = builder.operation(*id)?;
            match may_run_again(&step) {
                true => again.push(*id),
                false if step.results.is_empty() => {}
                false => return Err(refused(operation, Reason::Uncounted)),
            }
        }
        Recipe::whole(builder, again)
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
            most: None,
            is_exact: false,
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
        let most = counter.most.as_ref();
        let most = most.ok_or_else(|| refused(operation, Reason::Uncounted))?;
        let start = at(&operation.operands, counter.position)?;
        let mut stacks = Vec::with_capacity(saved.len());
        let builder = &mut self.context.builder;
        let body = std::mem::take(&mut region_mut(operation, 1)?.operations);
        let index = at(&region_mut(operation, 1)?.parameters, counter.position)?;
        let mut parameters = Vec::with_capacity(saved.len());
        for inner in saved {
            let ty = stacked(&builder.ty(*inner)?, most)?;
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
            let row = builder.shape(*inner)?;
            let row = builder.reshape(*inner, &with_first(Dim::Static(1), &row))?;
            let zero = builder.splat_like(0.0, place)?;
            let rank = builder.shape(row)?.rank();
            let starts = std::iter::once(place).chain(std::iter::repeat(zero));
            let operands = [parameter, row].into_iter().chain(starts.take(rank));
            let operands: Vec<_> = operands.collect();
            let next = builder.emit(Op::DynamicUpdateSlice, &operands)?;
            region.results.push(next);
        }
        region.operations = builder.close();
        Ok(stacks)
    }

    /// How many iterations there were, as an `i32`.
    fn count(&mut self, counter: &Counter, start: ValueId, end: ValueId) -> Result<ValueId> {
        let builder = &mut self.context.builder;
        match &counter.most {
            Some(most) if counter.is_exact => builder.place(most),
            _ => distance(builder, end, start),
        }
    }
}

impl Again {
    fn of(operation: &Operation) -> Result<Self> {
        let body = operation.regions.get(1);
        let body = body.ok_or(Error::Lost("a region of a loop"))?;
        Ok(Self {
            first: operation.operands.clone(),
            parameters: body.parameters.clone(),
            results: body.results.clone(),
        })
    }
}

/// How far a counter is from where it started, as an `i32`.
fn distance(builder: &mut Builder, counter: ValueId, start: ValueId) -> Result<ValueId> {
    let distance = builder.binary(BinaryOp::Subtract, counter, start)?;
    builder.convert(distance, DType::I32)
}

/// The type of as many rows of a type.
fn stacked(ty: &TensorType, count: &Extent) -> Result<TensorType> {
    let count = Dim::from_extent(count.clone()).ok_or(Error::Lost("a size"))?;
    Ok(TensorType::new(ty.dtype, with_first(count, &ty.shape)))
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
