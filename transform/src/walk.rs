//! Walks over a block and notes how what it computes changes with some values.
//!
//! Operations stay where they are, so that what they do happens once. Behind each that reads what changes comes what its
//! derivative needs. Calls are replaced by what the callee does.

use crate::{
    builder::Builder,
    copy::{self, Values},
    derive::is_differentiable,
    effect,
    error::{Error, Reason, Result},
    mark::Checkpoints,
    piece::Piece,
    ruled::Rule,
    rules::{self, Context, Dual},
    tape::{NodeId, Tape},
};
use iree_dsl_ir::{
    FunctionId, GlobalId, Module, Operation, OperationId, Region, ValueId,
    op::{Call, Effect, GlobalAccess, Op},
};
use std::collections::BTreeMap;

/// What becomes of tangents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They are computed along with the values.
    Forward,
    /// How they are computed is noted.
    Reverse,
}

pub(crate) struct Walk<'m> {
    pub(crate) module: &'m Module,
    rules: &'m BTreeMap<FunctionId, Rule>,
    pub(crate) checkpoints: Checkpoints,
    pub(crate) mode: Mode,
    pub(crate) context: Context,
    /// What stands for values from here on.
    names: Values,
    /// The tangents of values, by what these are called in operations that were not visited yet.
    pub(crate) tangents: BTreeMap<ValueId, NodeId>,
    /// The tangents of what was stored to globals.
    globals: BTreeMap<GlobalId, NodeId>,
    /// How many regions the walk is in.
    depth: usize,
    /// Whether what is noted is transposed in another block than the one that the walk is in.
    pub(crate) is_apart: bool,
}

impl<'m> Walk<'m> {
    /// A walk that puts operations into the block of a builder.
    pub(crate) fn new(piece: &Piece<'m>, mode: Mode, builder: Builder) -> Self {
        Self {
            module: piece.module,
            rules: piece.rules,
            checkpoints: piece.checkpoints.clone(),
            mode,
            context: Context {
                builder,
                tape: Tape::default(),
                values: Vec::new(),
            },
            names: Values::new(),
            tangents: BTreeMap::new(),
            globals: BTreeMap::new(),
            depth: 0,
            is_apart: false,
        }
    }

    /// Lets one value stand for another from here on.
    pub(crate) fn name(&mut self, value: ValueId, name: ValueId) {
        let name = self.named_one(name);
        self.names.insert(value, name);
    }

    fn named_one(&self, value: ValueId) -> ValueId {
        self.names.get(&value).copied().unwrap_or(value)
    }

    /// What stands for values from here on.
    pub(crate) fn named(&self, values: &[ValueId]) -> Vec<ValueId> {
        values.iter().map(|value| self.named_one(*value)).collect()
    }

    /// What stands for which values.
    pub(crate) fn into_names(self) -> (Context, Values) {
        (self.context, self.names)
    }

    /// Visits operations and puts them into the block that is open.
    pub(crate) fn block(&mut self, operations: &[OperationId]) -> Result<()> {
        self.depth += 1;
        let mut rest = operations;
        while let Some((id, others)) = rest.split_first() {
            let group = self.checkpoints.group(rest, usize::MAX);
            if let Some((_, group, behind)) = group.filter(|_| self.mode == Mode::Reverse) {
                self.checkpoint(group)?;
                rest = behind;
                continue;
            }
            let operation = self.context.builder.operation(*id)?;
            self.visit(*id, operation)?;
            rest = others;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Visits an operation and puts it into the block that is open.
    pub(crate) fn visit(&mut self, id: OperationId, operation: Operation) -> Result<()> {
        self.context.builder.span = operation.span;
        let active = self.is_active(&operation);
        match operation.op.effect() {
            Effect::Calls(call) if active => match self.rules.get(&call.callee) {
                Some(rule) => return self.ruled(id, operation, rule),
                None => return self.call(&operation, call),
            },
            Effect::Regions if active => return self.regions(id, operation),
            Effect::Reads(access) => self.load(&operation, access)?,
            Effect::Writes(access) => self.store(&operation, access)?,
            Effect::Pure
            | Effect::Shows(_)
            | Effect::Checks(_)
            | Effect::CallsHost(_)
            | Effect::Foreign(_)
            | Effect::Calls(_)
            | Effect::Regions => {}
        }
        self.keep(id, operation.clone())?;
        match active {
            true => self.differentiate(&operation),
            false => Ok(()),
        }
    }

    fn regions(&mut self, id: OperationId, operation: Operation) -> Result<()> {
        let globals = effect::globals(self.module, &self.context.builder.function, &operation);
        if globals
            .iter()
            .any(|global| self.globals.contains_key(global))
        {
            return Err(refused(&operation, Reason::Global));
        }
        let is_apart = std::mem::replace(&mut self.is_apart, true);
        match operation.op == Op::If {
            true => self.branch(id, operation),
            false => self.repeat(id, operation),
        }?;
        self.is_apart = is_apart;
        Ok(())
    }

    /// What is loaded has the tangent of what was stored last.
    fn load(&mut self, operation: &Operation, access: &GlobalAccess) -> Result<()> {
        let tangent = self.globals.get(&access.global).copied();
        let result = operation.results.first().copied();
        self.tangents.extend(result.zip(tangent));
        Ok(())
    }

    fn store(&mut self, operation: &Operation, access: &GlobalAccess) -> Result<()> {
        let stored = operation.operands.first();
        match stored.and_then(|id| self.tangents.get(id)).copied() {
            Some(_) if self.depth > 1 => return Err(refused(operation, Reason::Global)),
            Some(tangent) => self.globals.insert(access.global, tangent),
            None => self.globals.remove(&access.global),
        };
        Ok(())
    }

    /// Whether an operation reads something that has a tangent.
    fn is_active(&self, operation: &Operation) -> bool {
        let function = &self.context.builder.function;
        let reads = effect::reads(function, operation);
        let globals = || effect::globals(self.module, function, operation);
        let inner = match operation.op.effect() {
            Effect::Calls(_) | Effect::Regions => true,
            Effect::Pure
            | Effect::Reads(_)
            | Effect::Writes(_)
            | Effect::Shows(_)
            | Effect::Checks(_)
            | Effect::CallsHost(_)
            | Effect::Foreign(_) => false,
        };
        reads.iter().any(|id| self.tangents.contains_key(id))
            || inner
                && !self.globals.is_empty()
                && globals().iter().any(|id| self.globals.contains_key(id))
    }

    /// Puts what the callee does in the place of a call. A name of a size stands for the same number in both, since the
    /// types of operands and parameters are equal.
    fn call(&mut self, operation: &Operation, call: &Call) -> Result<()> {
        let results = self.inline(call.callee, &operation.operands)?;
        for (id, result) in operation.results.iter().zip(results) {
            self.name(*id, result);
            let tangent = self.tangents.get(&result).copied();
            self.tangents.extend(tangent.map(|node| (*id, node)));
        }
        Ok(())
    }

    /// Visits what a function does with these arguments, and returns the results.
    pub(crate) fn inline(
        &mut self,
        callee: FunctionId,
        arguments: &[ValueId],
    ) -> Result<Vec<ValueId>> {
        let function = self.module.functions.get(callee);
        let callee = function.ok_or(Error::NoFunction(callee.index()))?;
        let parameters = callee.body.parameters.iter().copied();
        let mut values: Values = parameters.zip(arguments.iter().copied()).collect();
        let mut operations = Vec::with_capacity(callee.body.operations.len());
        for id in &callee.body.operations {
            let step = callee.operations.get(*id);
            let step = step.ok_or(Error::Lost("an operation"))?;
            let target = &mut self.context.builder.function;
            operations.push(copy::operation(
                callee,
                step,
                &|_| true,
                &mut values,
                target,
            )?);
        }
        self.depth -= 1;
        self.block(&operations)?;
        self.depth += 1;
        copy::read_all(&values, &callee.body.results)
    }

    /// Puts an operation into the block, with the names that values have now.
    pub(crate) fn keep(&mut self, id: OperationId, mut operation: Operation) -> Result<()> {
        self.rename(&mut operation)?;
        self.replace(id, operation)
    }

    fn rename(&mut self, operation: &mut Operation) -> Result<()> {
        operation.operands = self.named(&operation.operands);
        for region in &mut operation.regions {
            self.rename_region(region)?;
        }
        Ok(())
    }

    /// Gives the values in a region that is not visited the names that they have now.
    pub(crate) fn rename_region(&mut self, region: &mut Region) -> Result<()> {
        for id in &region.operations {
            let mut operation = self.context.builder.operation(*id)?;
            self.rename(&mut operation)?;
            self.context.builder.put(*id, operation)?;
        }
        region.results = self.named(&region.results);
        Ok(())
    }

    /// Puts an operation into the block in the place of what it was.
    pub(crate) fn replace(&mut self, id: OperationId, operation: Operation) -> Result<()> {
        self.context.builder.put(id, operation)?;
        self.context.builder.push(id);
        Ok(())
    }

    fn differentiate(&mut self, operation: &Operation) -> Result<()> {
        // Operations without a result, as traces, have no derivative; those with several are unknown.
        for result in &operation.results {
            let ty = self.context.builder.ty(*result)?;
            if !is_differentiable(ty.dtype) {
                continue;
            }
            let operands = operation.operands.iter().map(|id| Dual {
                primal: self.named_one(*id),
                tangent: self.tangents.get(id).copied(),
            });
            let operands: Vec<_> = operands.collect();
            let tangent = rules::tangent(&mut self.context, operation, &operands, *result)?;
            self.catch_up()?;
            self.tangents.extend(tangent.map(|node| (*result, node)));
        }
        Ok(())
    }

    /// In forward mode, computes the tangents that were noted.
    fn catch_up(&mut self) -> Result<()> {
        match self.mode {
            Mode::Forward => self.context.compute(),
            Mode::Reverse => Ok(()),
        }
    }

    /// Notes that a value has a tangent, and returns the node.
    pub(crate) fn input(&mut self, value: ValueId) -> Result<NodeId> {
        let ty = self.context.builder.ty(value)?;
        let node = self.context.tape.input(ty);
        self.tangents.insert(value, node);
        Ok(node)
    }

    /// In forward mode, gives a value a tangent that somebody else defines.
    pub(crate) fn given_tangent(&mut self, value: ValueId) -> Result<ValueId> {
        let ty = self.context.builder.ty(value)?;
        let tangent = self.context.builder.value(ty);
        self.input(value)?;
        self.context.values.push(tangent);
        Ok(tangent)
    }

    /// In forward mode, the tangents of values, where they have one.
    pub(crate) fn tangents_of(&self, values: &[ValueId]) -> Result<Vec<Option<ValueId>>> {
        let tangents = values.iter().map(|id| match self.tangents.get(id) {
            Some(node) => self.context.value(*node).map(Some),
            None => Ok(None),
        });
        tangents.collect()
    }

    /// Visits a region with a tape of its own, in which what is captured are inputs. Returns the tape.
    pub(crate) fn enter_tape<T>(
        &mut self,
        captured: &[(ValueId, NodeId)],
        visit: impl FnOnce(&mut Self, Vec<NodeId>) -> Result<T>,
    ) -> Result<(Tape, T)> {
        let outer = std::mem::take(&mut self.context.tape);
        let mut inputs = Vec::with_capacity(captured.len());
        for (value, _) in captured {
            inputs.push(self.input(*value)?);
        }
        let result = visit(self, inputs)?;
        self.tangents.extend(captured.iter().copied());
        Ok((std::mem::replace(&mut self.context.tape, outer), result))
    }
}

/// Says that an operation has no rule.
pub(crate) fn refused(operation: &Operation, reason: Reason) -> Error {
    Error::NotDifferentiable {
        operation: operation.op.name(),
        reason,
        span: operation.span,
    }
}
