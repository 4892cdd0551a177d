//! Writes operations that say what is computed, and not how, with others, in the way that is fast with IREE, and what is computed
//! twice once.

mod emit;
mod fixed;
mod logical;
mod network;
mod once;
mod selection;
mod sort;
mod trips;

use super::{LegalizeError, iterations::Iterations};
use emit::Emitter;
use iree_dsl_ir::{
    Function, Module, Operation, OperationId, ValueId,
    op::{ArgSort, Op, Pad, Solve, Structure},
};
use iree_dsl_library::{Error, linalg, pad};
use once::Once;
use std::collections::BTreeMap;
use trips::Few;

/// The module with all of them expanded.
pub(super) fn module(module: &Module) -> Result<Module, LegalizeError> {
    let mut expanded = module.clone();
    for (id, function) in module.functions.iter() {
        if let Some(place) = expanded.functions.get_mut(id) {
            *place = Expansion::of(module, function)?;
        }
    }
    Ok(expanded)
}

/// What is expanded.
enum Form<'a> {
    /// An order of elements.
    Order(&'a ArgSort),
    /// The Cholesky factors of matrices.
    Factor,
    /// Linear systems.
    System(&'a Solve),
    /// Padding that takes elements away, which IREE does not do to a tensor whose size it does not know. What is left is a part,
    /// which other passes look for.
    Cut(&'a Pad),
    /// A branch.
    Branch,
}

impl<'a> Form<'a> {
    fn of(op: &'a Op) -> Option<Self> {
        match op.structure() {
            Structure::Sort(op) => Some(Self::Order(op)),
            Structure::Factor => Some(Self::Factor),
            Structure::System(op) => Some(Self::System(op)),
            Structure::Branches => Some(Self::Branch),
            Structure::Constant(_) | Structure::Index | Structure::Size(_) => None,
            Structure::Elementwise | Structure::Broadcast(_) | Structure::Reshape(_) => None,
            Structure::Transpose(_) | Structure::Reverse(_) | Structure::Slice(_) => None,
            Structure::Window(_) | Structure::Update | Structure::Concatenate(_) => None,
            Structure::Pad(op) => op.cuts().then_some(Self::Cut(op)),
            Structure::Gather(_) | Structure::Scatter(_) => None,
            Structure::Reduction(_) | Structure::Extremum(_) | Structure::ReduceWindow(_) => None,
            Structure::Convolution(_) | Structure::Contraction(_) | Structure::Scan(_) => None,
            Structure::Transform | Structure::Iterations | Structure::Effect => None,
        }
    }
}

/// A function that is written anew.
struct Expansion<'a> {
    module: &'a Module,
    function: &'a Function,
    emitter: Emitter,
    /// What stands for the results of what is expanded.
    values: BTreeMap<ValueId, ValueId>,
    once: Once<'a>,
    iterations: Iterations<'a>,
}

impl<'a> Expansion<'a> {
    fn of(module: &'a Module, function: &'a Function) -> Result<Function, LegalizeError> {
        let mut expansion = Self {
            module,
            function,
            emitter: Emitter::new(function.clone()),
            values: BTreeMap::new(),
            once: Once::default(),
            iterations: Iterations::of(function),
        };
        let mut body = function.body.clone();
        body.operations = expansion.block(&body.operations)?;
        expansion.read(&mut body.results);
        let mut function = expansion.emitter.finish();
        function.body = body;
        Ok(function)
    }

    fn block(&mut self, operations: &[OperationId]) -> Result<Vec<OperationId>, LegalizeError> {
        self.emitter.open();
        self.once.open();
        for id in operations {
            self.operation(*id)?;
        }
        self.once.close();
        Ok(self.emitter.close())
    }

    /// Puts an operation at the end of the block, or what it becomes.
    fn operation(&mut self, id: OperationId) -> Result<(), LegalizeError> {
        let Some(operation) = self.function.operations.get(id) else {
            return Ok(());
        };
        if let Some(before) = self.once.before(operation) {
            let before = self.values.get(&before).copied().unwrap_or(before);
            let results = operation.results.iter();
            self.values.extend(results.map(|result| (*result, before)));
            return Ok(());
        }
        if let Some(few) = Few::of(self.module, self.function, &self.iterations, operation) {
            return self.unrolled(operation, &few);
        }
        let mut operation = operation.clone();
        let written = logical::of(self.function, &operation);
        if let Some(op) = written.or_else(|| fixed::of(self.module, &operation)) {
            operation.op = op;
        }
        let (name, span) = (operation.op.name(), operation.span);
        let failed = |error| LegalizeError::Expansion {
            operation: name,
            span,
            error,
        };
        self.read(&mut operation.operands);
        for region in &mut operation.regions {
            region.operations = self.block(&region.operations)?;
            self.read(&mut region.results);
        }
        match self.expanded(&operation).map_err(failed)? {
            Some(results) => {
                let results = operation.results.into_iter().zip(results);
                self.values.extend(results);
                Ok(())
            }
            None => self.emitter.push(id, operation).map_err(failed),
        }
    }

    /// Puts what a loop does at the end of the block.
    fn unrolled(&mut self, operation: &Operation, few: &Few) -> Result<(), LegalizeError> {
        let mut handed_on = operation.operands.clone();
        self.read(&mut handed_on);
        if let (Few::Once, [_, body]) = (few, operation.regions.as_slice()) {
            let taken = body.parameters.iter().copied().zip(handed_on);
            self.values.extend(taken);
            for id in &body.operations {
                self.operation(*id)?;
            }
            handed_on = body.results.clone();
            self.read(&mut handed_on);
        }
        let results = operation.results.iter().copied().zip(handed_on);
        self.values.extend(results);
        Ok(())
    }

    /// What stands for the results of an operation; `None` if it stays.
    fn expanded(&self, operation: &Operation) -> Result<Option<Vec<ValueId>>, Error> {
        let emitter = &self.emitter;
        emitter.at(operation.span);
        let operand = |position: usize| {
            let operand = operation.operands.get(position).copied();
            operand.ok_or(Error::Lost("an operand"))
        };
        let term = |position| operand(position).map(|operand| emitter.term(operand));
        let result = match Form::of(&operation.op) {
            None => return Ok(None),
            Some(Form::Branch) => {
                return selection::expand(self.module, emitter, operand(0)?, &operation.regions);
            }
            Some(Form::Order(op)) => sort::expand(emitter, op, operand(0)?)?,
            Some(Form::Factor) => linalg::expand_cholesky(&term(0)?).value()?,
            Some(Form::System(op)) => linalg::expand_solve(*op, &term(0)?, &term(1)?).value()?,
            Some(Form::Cut(op)) => pad::expand_cut(op, &term(0)?, &term(1)?).value()?,
        };
        Ok(Some(vec![result]))
    }

    /// Reads what stands for values in their place.
    fn read(&self, values: &mut [ValueId]) {
        for value in values {
            *value = self.values.get(value).copied().unwrap_or(*value);
        }
    }
}
