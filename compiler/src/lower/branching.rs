//! Branches and loops: what comes after them goes into another block.

use super::{
    body::Body,
    control::{self, Handed, Kind, Parameters, Side},
    emit::{Emitter, Result, Tensor},
    error::{LowerCause, LowerError},
    opaque, placement,
    register::Register,
};
use crate::legalize::{End, Way};
use iree_dsl_ir::{Operation, OperationId, Region, ValueId, op::Op};

impl<'c, 'b> Body<'_, 'c, 'b> {
    /// Lowers an operation with regions.
    pub(super) fn branching(
        &mut self,
        id: OperationId,
        operation: &Operation,
    ) -> Result<(), LowerError> {
        let [first, second] = operation.regions.as_slice() else {
            return Err(LowerCause::Lost("a region").at(operation.span));
        };
        if self.is_contained {
            return self.branching_inside(id, operation, [first, second]);
        }
        if self.decided.contained.contains(&id) && self.lowering.machine.runs_loops_in_dispatches()
        {
            return self.lower_contained(id, operation, [first, second]);
        }
        let results = match operation.op == Op::If {
            true => self.lower_if(id, operation, [first, second])?,
            false => self.lower_while(id, operation, [first, second])?,
        };
        self.define(&operation.results, results);
        Ok(())
    }

    fn lower_if(
        &mut self,
        id: OperationId,
        operation: &Operation,
        branches: [&Region; 2],
    ) -> Result<Vec<Handed<'c, 'b>>, LowerError> {
        let here = |cause: LowerCause| cause.at(operation.span);
        let start = self.emitter(operation.span);
        let condition = operation.operands.first();
        let condition = condition.ok_or(here(LowerCause::Lost("an operand")))?;
        let condition = self.register(&start, *condition).map_err(here)?;
        let joined = self.kinds(&operation.results).map_err(here)?;
        let joined = Parameters::of_join(joined, self.lowering.machine);
        let none = &Parameters::NONE;
        let (then, _) = control::append_block(&start, none).map_err(here)?;
        let (otherwise, _) = control::append_block(&start, none).map_err(here)?;
        let blocks = [then, otherwise];
        control::conditional_branch(&start, &condition, blocks, none, &[], Side::First)
            .map_err(here)?;
        let mut ends = Vec::new();
        let sides = [(then, Side::First), (otherwise, Side::Second)];
        for (number, ((block, side), region)) in sides.into_iter().zip(branches).enumerate() {
            self.block = block;
            ends.push(self.scoped(|body| {
                body.operations(region)?;
                let last = body.emitter(operation.span);
                let end = End::Of(id, number);
                let handed_back = body.handed(&last, end, &region.results, &joined);
                Ok((last, handed_back.map_err(here)?, side))
            })?);
        }
        // Behind the ends of the branches in it: IREE 3.13 simplifies what blocks hand on in the order of the blocks,
        // and gives up if that takes more than ten iterations.
        let (end, results) = control::append_join(&start, &joined).map_err(here)?;
        for (last, handed_back, side) in ends {
            control::branch(&last, end, &joined, &handed_back, side).map_err(here)?;
        }
        self.block = end;
        Ok(results)
    }

    /// Lowers a loop so that the condition is computed before the first iteration and at the end of each,
    /// which then hands on its tensors once only, to the next iteration or to what comes after the loop.
    /// IREE 3.13 updates a tensor in place only if it finds no other use of it in another block.
    ///
    /// The last branch asks the opposite of the first. Were both the same, IREE would make one of them, with
    /// each tensor twice among its operands, and its VM would move it to the one and leave the other nothing.
    fn lower_while(
        &mut self,
        id: OperationId,
        operation: &Operation,
        [condition, body]: [&Region; 2],
    ) -> Result<Vec<Handed<'c, 'b>>, LowerError> {
        let here = |cause: LowerCause| cause.at(operation.span);
        let start = self.emitter(operation.span);
        for value in self.decided.registers.read_before(id) {
            self.register(&start, value).map_err(here)?;
        }
        let kinds = self.kinds(&operation.results).map_err(here)?;
        if kinds.iter().all(|kind| matches!(kind, Kind::Register(_))) {
            let counters = Parameters::of_counters(kinds);
            return self.lower_counting(id, operation, [condition, body], &counters);
        }
        let taken = Parameters::of_join(kinds, self.lowering.machine);
        let (iteration, carried) = control::append_block(&start, &taken).map_err(here)?;
        let first = self.handed(&start, End::Before(id), &operation.operands, &taken);
        let first = first.map_err(here)?;
        let more = self.scoped(|start| start.condition(condition, operation, &first))?;
        let tested = self.emitter(operation.span);
        let is_in_c = self.lowering.machine.is_in_c;
        let first = first
            .into_iter()
            .map(|operand| pinned(&tested, operand, is_in_c));
        let first = first.collect::<Result<Vec<_>>>().map_err(here)?;
        let (end, results) = control::append_join(&tested, &taken).map_err(here)?;
        let blocks = [iteration, end];
        control::conditional_branch(&tested, &more, blocks, &taken, &first, Side::First)
            .map_err(here)?;
        self.block = iteration;
        self.define(&body.parameters, carried);
        let (next, more) = self.scoped(|iteration| {
            iteration.operations(body)?;
            let last = iteration.emitter(operation.span);
            let next = iteration.handed(&last, End::Of(id, 1), &body.results, &taken);
            let next = next.map_err(here)?;
            let more = iteration.condition(condition, operation, &next)?;
            Ok((next, more))
        })?;
        let last = self.emitter(operation.span);
        let done = more.not(&last).map_err(here)?;
        let blocks = [end, iteration];
        control::conditional_branch(&last, &done, blocks, &taken, &next, Side::Second)
            .map_err(here)?;
        self.block = end;
        Ok(results)
    }

    /// Lowers a loop that hands on no tensors so that the condition is in one place, a block of its own: the
    /// machine takes longer to hand values to one of two blocks than to one.
    fn lower_counting(
        &mut self,
        id: OperationId,
        operation: &Operation,
        [condition, body]: [&Region; 2],
        counters: &Parameters,
    ) -> Result<Vec<Handed<'c, 'b>>, LowerError> {
        let here = |cause: LowerCause| cause.at(operation.span);
        let start = self.emitter(operation.span);
        let (test, carried) = control::append_block(&start, counters).map_err(here)?;
        let none = &Parameters::NONE;
        let (iteration, _) = control::append_block(&start, none).map_err(here)?;
        let (end, _) = control::append_block(&start, none).map_err(here)?;
        let first = self.handed(&start, End::Before(id), &operation.operands, counters);
        let first = first.map_err(here)?;
        control::branch(&start, test, counters, &first, Side::First).map_err(here)?;
        self.block = test;
        let more = self.scoped(|test| test.condition(condition, operation, &carried))?;
        let tested = self.emitter(operation.span);
        control::conditional_branch(&tested, &more, [iteration, end], none, &[], Side::First)
            .map_err(here)?;
        self.block = iteration;
        self.define(&body.parameters, carried.iter().cloned());
        self.scoped(|iteration| {
            iteration.operations(body)?;
            let last = iteration.emitter(operation.span);
            let next = iteration.handed(&last, End::Of(id, 1), &body.results, counters);
            let next = next.map_err(here)?;
            control::branch(&last, test, counters, &next, Side::Second).map_err(here)
        })?;
        self.block = end;
        Ok(carried)
    }

    /// Whether a loop that hands on these values goes on.
    pub(super) fn condition(
        &mut self,
        condition: &Region,
        owner: &Operation,
        carried: &[Handed<'c, 'b>],
    ) -> Result<Register<'c, 'b>, LowerError> {
        let here = |cause: LowerCause| cause.at(owner.span);
        self.define(&condition.parameters, carried.iter().cloned());
        self.operations(condition)?;
        let last = self.emitter(owner.span);
        let more = condition.results.first();
        let more = more.ok_or(here(LowerCause::Lost("a condition")))?;
        self.register(&last, *more).map_err(here)
    }

    pub(super) fn operations(&mut self, region: &Region) -> Result<(), LowerError> {
        self.require_windows(region)?;
        region
            .operations
            .iter()
            .try_for_each(|id| self.operation(*id))
    }

    /// Ends the program with an error where windows of a region do not fit into what they are parts of. That is no
    /// requirement of the call, which may not get there. It stands before all that the region does, so that what
    /// IREE runs together stays together.
    fn require_windows(&self, region: &Region) -> Result<(), LowerError> {
        let operations = region.operations.iter();
        for operation in operations.filter_map(|id| self.function.operations.get(*id)) {
            let operand = |index: usize| self.function.ty(*operation.operands.get(index)?);
            let window = if let Op::DynamicSlice(slice) = &operation.op {
                Some(&slice.sizes)
            } else {
                let update = operand(1).filter(|_| operation.op == Op::DynamicUpdateSlice);
                update.map(|update| &update.shape)
            };
            if let (Some(window), Some(whole)) = (window, operand(0)) {
                let emitter = self.emitter(operation.span);
                let required = emitter.require_window(&whole.shape, window);
                required.map_err(|cause| cause.at(operation.span))?;
            }
        }
        Ok(())
    }

    /// What blocks take in the place of values.
    pub(super) fn kinds(&self, ids: &[ValueId]) -> Result<Vec<Kind>> {
        let kind = |id: &ValueId| {
            let ty = self.ty(*id)?.clone();
            Ok(match self.decided.registers.holds(*id) {
                true => Kind::Register(ty.dtype),
                false => Kind::Tensor(ty),
            })
        };
        ids.iter().map(kind).collect()
    }

    /// Values to hand to a block, some of them in a buffer of their own.
    fn handed(
        &mut self,
        emitter: &Emitter<'c, 'b>,
        end: End,
        ids: &[ValueId],
        parameters: &Parameters,
    ) -> Result<Vec<Handed<'c, 'b>>> {
        let handing = self.decided.handed.get(&end);
        let is_waited_for =
            parameters.way == Way::Apart || handing.is_some_and(|handing| handing.is_waited_for);
        let is_copied =
            |position| handing.is_some_and(|handing| handing.copied.contains(&position));
        let values = ids.iter().zip(&parameters.kinds).enumerate();
        let hand = |(position, (id, kind)): (usize, (&ValueId, &Kind))| {
            if let Kind::Register(_) = kind {
                return Ok(Handed::Register(self.register(emitter, *id)?));
            }
            let tensor = self.tensor(emitter, *id)?;
            let tensor = match is_copied(position) {
                true => self.copied(emitter, *id, tensor)?,
                false => tensor,
            };
            Ok(Handed::Tensor(match is_waited_for {
                true => opaque::barrier(emitter, &tensor)?,
                false => tensor,
            }))
        };
        values.map(hand).collect()
    }

    /// The same tensor in a buffer of its own.
    fn copied(
        &self,
        emitter: &Emitter<'c, 'b>,
        id: ValueId,
        tensor: Tensor<'c, 'b>,
    ) -> Result<Tensor<'c, 'b>> {
        let hidden = match self.decided.constants.contains(&id) {
            true => tensor,
            false => opaque::barrier(emitter, &tensor)?,
        };
        opaque::identity(emitter, &hidden)
    }
}

/// What a loop starts with, on the device if it is a tensor. IREE 3.13 cannot read what it is told this of in
/// the same block.
///
/// Tensors that the condition waited for have what says when they are there in common. In C it must not be handed on several times, so
/// that it is waited for once more.
/// Defect `switches-are-refused-in-c`.
fn pinned<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    first: Handed<'c, 'b>,
    is_in_c: bool,
) -> Result<Handed<'c, 'b>> {
    let tensor = match first {
        Handed::Tensor(tensor) => placement::pin(emitter, &tensor)?,
        Handed::Register(register) => return Ok(Handed::Register(register)),
    };
    Ok(Handed::Tensor(match is_in_c {
        true => opaque::barrier(emitter, &tensor)?,
        false => tensor,
    }))
}
