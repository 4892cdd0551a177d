//! Loops that one dispatch runs.
//!
//! ```text
//! flow.dispatch.region {
//!   scf.while { condition } do { body }
//! } count { 1, 1, 1 }
//! ```
//!
//! What an iteration hands on is written over what it was handed. The dispatch says how many workgroups it has, so that IREE does not
//! pack factors inside of it. Its code must be compiled as [`crate::artifact`] asks for: otherwise each operation of an iteration is
//! divided among workgroups, which do not wait for each other.
//!
//! Defects `iterations-of-a-dispatch-are-divided` and `parts-leave-the-loop-of-their-dispatch`.

use super::{
    body::Body,
    control::{Handed, Kind},
    emit::{Emitter, Result, Tensor},
    error::{LowerCause, LowerError},
    global, opaque,
    register::{Register, Width},
    types,
    vm::Vm,
};
use crate::legalize::Contained;
use iree_abi::TensorType;
use iree_dialects::{flow, prelude::*, scf};
use iree_dsl_ir::{
    self as ir, OperationId, ValueId,
    op::{Call, Op},
};

impl<'a, 'c, 'b> Body<'a, 'c, 'b> {
    /// Lowers a loop that one dispatch runs.
    pub(super) fn lower_contained(
        &mut self,
        id: OperationId,
        operation: &ir::Operation,
        regions: [&ir::Region; 2],
    ) -> Result<(), LowerError> {
        let here = |cause: LowerCause| cause.at(operation.span);
        let contained = self.around_loop(id).map_err(here)?;
        let emitter = self.emitter(operation.span);
        let looped = Loop::of(self, operation, regions, contained).map_err(here)?;
        let kinds = self.kinds(&contained.taken).map_err(here)?;
        let taken = contained.taken.iter().zip(&kinds);
        let taken = taken.map(|(id, kind)| self.taken(&emitter, *id, kind));
        let taken = taken.collect::<Result<Vec<_>>>().map_err(here)?;
        for (id, tensor) in looped.dispatch(self, &emitter, &taken)? {
            self.define(&[id], [Handed::Tensor(tensor)]);
        }
        Ok(())
    }

    /// Lowers an operation with regions inside of a dispatch.
    pub(super) fn branching_inside(
        &mut self,
        id: OperationId,
        operation: &ir::Operation,
        regions: [&ir::Region; 2],
    ) -> Result<(), LowerError> {
        let results = match operation.op == Op::If {
            true => self.choose(operation, regions)?,
            false => {
                let contained = self.around_loop(id);
                let looped = contained.and_then(|it| Loop::of(self, operation, regions, it));
                let looped = looped.map_err(|cause| cause.at(operation.span))?;
                let within = self.emitter(operation.span);
                looped.iterate(self, &within, opaque::kept)?
            }
        };
        self.define(&operation.results, results);
        Ok(())
    }

    /// Lowers a call inside of a dispatch: what the function does stands in its place.
    pub(super) fn call_inside(
        &self,
        operation: &ir::Operation,
        call: &Call,
    ) -> Result<Vec<Handed<'c, 'b>>, LowerError> {
        let here = |cause: LowerCause| cause.at(operation.span);
        let emitter = self.emitter(operation.span);
        let operands = operation
            .operands
            .iter()
            .map(|id| self.tensor(&emitter, *id));
        let operands = operands.collect::<Result<Vec<_>>>().map_err(here)?;
        let lost = || here(LowerCause::Lost("a function"));
        let callee = self.lowering.module.functions.get(call.callee);
        let decided = self.lowering.legalized.decided(call.callee);
        let callee = (callee.ok_or_else(lost)?, decided.ok_or_else(lost)?);
        let body = self.contained(callee, self.block, operands);
        let results = body.run()?.results.into_iter();
        Ok(results.map(Handed::Tensor).collect())
    }

    fn around_loop(&self, id: OperationId) -> Result<&'a Contained> {
        let contained = self.decided.loops.get(&id);
        contained.ok_or(LowerCause::Lost("what is around a loop"))
    }

    /// Lowers a branch inside of a dispatch. Both sides write their results to one place.
    fn choose(
        &mut self,
        operation: &ir::Operation,
        sides: [&ir::Region; 2],
    ) -> Result<Vec<Handed<'c, 'b>>, LowerError> {
        let here = |cause: LowerCause| cause.at(operation.span);
        let emitter = self.emitter(operation.span);
        let lost = here(LowerCause::Lost("an operand"));
        let condition = *operation.operands.first().ok_or(lost)?;
        let condition = self.register(&emitter, condition).map_err(here)?;
        let kinds = self.kinds(&operation.results).map_err(here)?;
        let types = types(&emitter, &kinds).map_err(here)?;
        let places = kinds.iter().zip(&types).map(|(kind, ty)| match kind {
            Kind::Tensor(_) => opaque::kept(&emitter, *ty).map(Some),
            Kind::Register(_) => Ok(None),
        });
        let places = places.collect::<Result<Vec<_>>>().map_err(here)?;
        let [then, otherwise] = sides;
        let then = self.side(operation, then, (&kinds, &places))?;
        let otherwise = self.side(operation, otherwise, (&kinds, &places))?;
        let append = || {
            let branch = scf::IfOperation::builder(emitter.context, emitter.location)
                .condition(condition.value)
                .results(&types)
                .then_region(then)
                .else_region(otherwise)
                .append_to(&emitter.block)?;
            handed(&emitter, &branch.results()?, &kinds)
        };
        append().map_err(here)
    }

    fn side(
        &self,
        operation: &ir::Operation,
        side: &ir::Region,
        (kinds, places): (&[Kind], &[Option<Value<'c, 'b>>]),
    ) -> Result<Region<'c>, LowerError> {
        let here = |cause: LowerCause| cause.at(operation.span);
        let region = Region::new();
        {
            let mut inside = self.nested(region.append_block(Block::new(&[])));
            inside.operations(side)?;
            let emitter = inside.emitter(operation.span);
            let results = side.results.iter().zip(kinds).zip(places);
            let results = results.map(|((id, kind), place)| {
                let value = inside.running(&emitter, *id, kind)?;
                match place {
                    Some(place) => opaque::copied(&emitter, value, *place),
                    None => Ok(value),
                }
            });
            let results = results.collect::<Result<Vec<_>>>().map_err(here)?;
            yielded(&emitter, &results).map_err(here)?;
        }
        Ok(region)
    }

    /// What the dispatch takes for a value: a tensor in memory, so that nothing of what computes it becomes a part of the dispatch, or
    /// a number in a register.
    fn taken(
        &mut self,
        emitter: &Emitter<'c, 'b>,
        id: ValueId,
        kind: &Kind,
    ) -> Result<Handed<'c, 'b>> {
        Ok(match kind {
            Kind::Tensor(_) => {
                let tensor = self.tensor(emitter, id)?;
                Handed::Tensor(match self.decided.constants.contains(&id) {
                    true => tensor,
                    false => opaque::unfused(emitter, &tensor)?,
                })
            }
            Kind::Register(_) => Handed::Register(self.register(emitter, id)?),
        })
    }

    /// A value in the form that it has while the loop runs.
    fn running(
        &mut self,
        emitter: &Emitter<'c, 'b>,
        id: ValueId,
        kind: &Kind,
    ) -> Result<Value<'c, 'b>> {
        match kind {
            Kind::Tensor(ty) => {
                let tensor = self.tensor(emitter, id)?;
                Ok(global::cast(emitter, tensor, &types::stored(ty))?.value)
            }
            Kind::Register(_) => self.register(emitter, id)?.handed(emitter, Width::Own),
        }
    }
}

/// A loop.
struct Loop<'l> {
    operation: &'l ir::Operation,
    condition: &'l ir::Region,
    body: &'l ir::Region,
    contained: &'l Contained,
    /// What iterations hand on.
    carried: Vec<Kind>,
    /// The positions of that in the order in which it is handed on, tensors first. MLIR leaves out numbers that are handed on for
    /// nothing, and takes tensors behind them for others.
    order: Vec<usize>,
}

impl<'l> Loop<'l> {
    fn of(
        body: &Body<'_, '_, '_>,
        operation: &'l ir::Operation,
        regions: [&'l ir::Region; 2],
        contained: &'l Contained,
    ) -> Result<Self> {
        let carried = body.kinds(&operation.results)?;
        let [condition, body] = regions;
        let mut order: Vec<_> = (0..carried.len()).collect();
        order.sort_by_key(|position| matches!(carried.get(*position), Some(Kind::Register(_))));
        Ok(Self {
            operation,
            condition,
            body,
            contained,
            carried,
            order,
        })
    }

    /// Values in the order in which they are handed on.
    fn ordered<T: Copy>(&self, values: &[T]) -> Vec<T> {
        let values = self
            .order
            .iter()
            .filter_map(|position| values.get(*position));
        values.copied().collect()
    }

    /// Values that are handed on, by their positions.
    fn restored<T: Copy>(&self, values: &[T]) -> Vec<T> {
        let mut values: Vec<_> = self.order.iter().zip(values).collect();
        values.sort_by_key(|(position, _)| **position);
        values.into_iter().map(|(_, value)| *value).collect()
    }

    fn here<T>(&self, result: Result<T>) -> Result<T, LowerError> {
        result.map_err(|cause| cause.at(self.operation.span))
    }

    /// Appends the dispatch, and returns what it returns.
    fn dispatch<'c, 'b>(
        &self,
        around: &Body<'_, 'c, 'b>,
        emitter: &Emitter<'c, 'b>,
        taken: &[Handed<'c, 'b>],
    ) -> Result<Vec<(ValueId, Tensor<'c, 'b>)>, LowerError> {
        let region = Region::new();
        let returned = {
            let function = (around.function, around.decided);
            let block = region.append_block(Block::new(&[]));
            let mut inside = around.contained(function, block, Vec::new());
            inside.define(&self.contained.taken, taken.iter().cloned());
            for constant in &self.contained.constants {
                inside.operation(*constant)?;
            }
            let within = inside.emitter(self.operation.span);
            let results = self.iterate(&mut inside, &within, opaque::returned)?;
            self.here(self.returned(&within, results))?
        };
        let append = || {
            let stored = returned.iter().map(|(_, ty)| types::stored(ty));
            let stored: Vec<_> = stored.collect();
            let results = stored.iter().map(|ty| emitter.tensor_type(ty));
            let dispatch =
                flow::DispatchRegionOperation::builder(emitter.context, emitter.location)
                    .result_dims(&[])
                    .workload(&[])
                    .results(&results.collect::<Result<Vec<_>>>()?)
                    .body(region)
                    .workgroup_count(one_workgroup(emitter)?)
                    .append_to(&emitter.block)?;
            let results = dispatch.results()?.into_iter().zip(stored).zip(returned);
            let results = results.map(|((value, stored), (id, ty))| {
                let stored = Tensor { value, ty: stored };
                Ok((id, global::cast(emitter, stored, &ty)?))
            });
            results.collect()
        };
        self.here(append())
    }

    /// Ends the dispatch with what it returns: tensors, and numbers in registers that something reads. Says of which results of the
    /// loop that is, and what they are.
    fn returned<'c, 'i>(
        &self,
        within: &Emitter<'c, 'i>,
        results: Vec<Handed<'c, 'i>>,
    ) -> Result<Vec<(ValueId, TensorType)>> {
        let (mut values, mut returned) = (Vec::new(), Vec::new());
        let results = results.into_iter().zip(&self.operation.results);
        for (position, (result, id)) in results.enumerate() {
            let tensor = match result {
                Handed::Tensor(tensor) => tensor,
                Handed::Register(_) if !self.contained.read.contains(&position) => continue,
                Handed::Register(register) => register.tensor(within)?,
            };
            returned.push((*id, tensor.ty.clone()));
            let stored = types::stored(&tensor.ty);
            values.push(global::cast(within, tensor, &stored)?.value);
        }
        flow::ReturnOperation::builder(within.context, within.location)
            .operands(&values)
            .append_to(&within.block)?;
        Ok(returned)
    }

    /// Appends the loop, which begins with tensors in memory of its own.
    fn iterate<'c, 'i>(
        &self,
        around: &mut Body<'_, 'c, 'i>,
        within: &Emitter<'c, 'i>,
        memory: impl Fn(&Emitter<'c, 'i>, Type<'c>) -> Result<Value<'c, 'i>>,
    ) -> Result<Vec<Handed<'c, 'i>>, LowerError> {
        let operands = self.operation.operands.iter().zip(&self.carried);
        let first = operands.map(|(id, kind)| {
            let value = around.running(within, *id, kind)?;
            match kind {
                Kind::Tensor(_) => opaque::copied(within, value, memory(within, value.r#type())?),
                Kind::Register(_) => Ok(value),
            }
        });
        let first = self.here(first.collect::<Result<Vec<_>>>())?;
        let (before, after) = (self.before(around)?, self.after(around)?);
        let append = || {
            let looped = scf::WhileOperation::builder(within.context, within.location)
                .inits(&self.ordered(&first))
                .results(&self.ordered(&types(within, &self.carried)?))
                .before(before)
                .after(after)
                .append_to(&within.block)?;
            handed(within, &self.restored(&looped.results()?), &self.carried)
        };
        self.here(append())
    }

    /// The region that says whether there is another iteration.
    fn before<'c>(&self, around: &Body<'_, 'c, '_>) -> Result<Region<'c>, LowerError> {
        let region = Region::new();
        {
            let mut inside = self.block(around, &region)?;
            let emitter = inside.emitter(self.operation.span);
            let values = self.here(arguments(&emitter))?;
            let values = self.here(self.shielded(&emitter, &self.restored(&values)))?;
            let carried = self.here(handed(&emitter, &values, &self.carried))?;
            let more = inside.condition(self.condition, self.operation, &carried)?;
            let condition = scf::ConditionOperation::builder(emitter.context, emitter.location)
                .condition(more.value)
                .args(&self.ordered(&values))
                .append_to(&emitter.block);
            self.here(condition.map_err(LowerCause::from))?;
        }
        Ok(region)
    }

    /// The region of an iteration.
    fn after<'c>(&self, around: &Body<'_, 'c, '_>) -> Result<Region<'c>, LowerError> {
        let region = Region::new();
        {
            let mut inside = self.block(around, &region)?;
            let emitter = inside.emitter(self.operation.span);
            let values = self.restored(&self.here(arguments(&emitter))?);
            let shielded = self.here(self.shielded(&emitter, &values))?;
            let carried = self.here(handed(&emitter, &shielded, &self.carried))?;
            inside.define(&self.body.parameters, carried);
            inside.operations(self.body)?;
            let next = self.next(&mut inside, &emitter, &values);
            self.here(next.and_then(|next| yielded(&emitter, &self.ordered(&next))))?;
        }
        Ok(region)
    }

    /// What an iteration hands on: tensors where it was handed some. All are in memory of their own before the first is written there, since
    /// IREE computes what is written where it goes, also if others read after that what was there.
    fn next<'c, 'i>(
        &self,
        inside: &mut Body<'_, 'c, 'i>,
        emitter: &Emitter<'c, 'i>,
        handed: &[Value<'c, 'i>],
    ) -> Result<Vec<Value<'c, 'i>>> {
        let is_written = |position, kind: &Kind| {
            matches!(kind, Kind::Tensor(_)) && !self.contained.in_place.contains(&position)
        };
        let results = self.body.results.iter().zip(&self.carried).enumerate();
        let results = results.map(|(position, (id, kind))| {
            let value = inside.running(emitter, *id, kind)?;
            match is_written(position, kind) {
                true => opaque::copied(emitter, value, opaque::kept(emitter, value.r#type())?),
                false => Ok(value),
            }
        });
        let results = results.collect::<Result<Vec<_>>>()?;
        let next = results.into_iter().zip(&self.carried).zip(handed);
        let next = next.enumerate();
        next.map(
            |(position, ((value, kind), before))| match is_written(position, kind) {
                true => opaque::copied(emitter, value, *before),
                false => Ok(value),
            },
        )
        .collect()
    }

    /// A block that takes what iterations hand on, where all is known that is known around it.
    fn block<'a, 'c, 'i>(
        &self,
        around: &Body<'a, 'c, 'i>,
        region: &'i Region<'c>,
    ) -> Result<Body<'a, 'c, 'i>, LowerError> {
        let outside = around.emitter(self.operation.span);
        let types = self.ordered(&self.here(types(&outside, &self.carried))?);
        let arguments: Vec<_> = types.iter().map(|ty| (*ty, outside.location)).collect();
        Ok(around.nested(region.append_block(Block::new(&arguments))))
    }

    /// What a block takes. Where parts of tensors and views are made of what an inner block takes, IREE moves
    /// that out of the dispatch. So they are made of what is written over itself, which writes nothing.
    fn shielded<'c, 'i>(
        &self,
        emitter: &Emitter<'c, 'i>,
        values: &[Value<'c, 'i>],
    ) -> Result<Vec<Value<'c, 'i>>> {
        let values = values.iter().zip(&self.carried);
        let values = values.map(|(value, kind)| match kind {
            Kind::Tensor(_) => opaque::copied(emitter, *value, *value),
            Kind::Register(_) => Ok(*value),
        });
        values.collect()
    }
}

/// The types of values in the form that they have while a loop runs.
fn types<'c>(emitter: &Emitter<'c, '_>, kinds: &[Kind]) -> Result<Vec<Type<'c>>> {
    let types = kinds.iter().map(|kind| match kind {
        Kind::Tensor(ty) => emitter.tensor_type(&types::stored(ty)),
        Kind::Register(dtype) => Ok(Width::Own.register_type(emitter.context, *dtype)),
    });
    types.collect()
}

/// Values in that form as what they are.
fn handed<'c, 'i>(
    emitter: &Emitter<'c, 'i>,
    values: &[Value<'c, 'i>],
    kinds: &[Kind],
) -> Result<Vec<Handed<'c, 'i>>> {
    let handed = values.iter().zip(kinds).map(|(value, kind)| {
        let value = *value;
        Ok(match kind {
            Kind::Tensor(ty) => {
                let stored = types::stored(ty);
                let stored = Tensor { value, ty: stored };
                Handed::Tensor(global::cast(emitter, stored, ty)?)
            }
            Kind::Register(dtype) => {
                Handed::Register(Register::taken(emitter, value, *dtype, Width::Own)?)
            }
        })
    });
    handed.collect()
}

/// The region that says how many workgroups a dispatch has, where that is one.
fn one_workgroup<'c>(emitter: &Emitter<'c, '_>) -> Result<Region<'c>> {
    let region = Region::new();
    {
        let counting = Emitter {
            block: region.append_block(Block::new(&[])),
            ..emitter.clone()
        };
        let one = Vm(&counting).number(Type::index(emitter.context), 1)?;
        flow::ReturnOperation::builder(emitter.context, emitter.location)
            .operands(&[one, one, one])
            .append_to(&counting.block)?;
    }
    Ok(region)
}

/// What the block of an emitter takes.
pub(super) fn arguments<'c, 'b>(emitter: &Emitter<'c, 'b>) -> Result<Vec<Value<'c, 'b>>> {
    let arguments = (0..emitter.block.argument_count()).map(|index| {
        let argument = emitter.block.argument(index);
        let argument = argument.map_err(|_| LowerCause::Lost("the argument of a block"))?;
        Ok(argument.into())
    });
    arguments.collect()
}

pub(super) fn yielded<'c, 'b>(emitter: &Emitter<'c, 'b>, values: &[Value<'c, 'b>]) -> Result<()> {
    scf::YieldOperation::builder(emitter.context, emitter.location)
        .results(values)
        .append_to(&emitter.block)?;
    Ok(())
}
