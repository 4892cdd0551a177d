//! Runs a function once, and notes how what it computes changes with its inputs.

use crate::{
    builder::Builder,
    copy::{self, Values},
    derive::is_differentiable,
    effect,
    error::{Error, Reason, Result},
    rules::{self, Context, Dual},
    tape::{NodeId, Tape},
};
use iree_dsl_ir::{
    Function, GlobalId, Module, Operation, ValueId,
    op::{Call, Effect, GlobalAccess},
};
use std::collections::BTreeMap;

/// A function in the making that computes what another does, with the tape of its linear maps.
pub(crate) struct Linearised {
    pub(crate) builder: Builder,
    pub(crate) tape: Tape,
    /// What is differentiated.
    pub(crate) inputs: Vec<NodeId>,
    /// The results, with their tangents if they have any.
    pub(crate) results: Vec<(ValueId, Option<NodeId>)>,
}

/// Linearises a function with respect to some of its parameters.
pub(crate) fn linearise(
    module: &Module,
    source: &Function,
    inputs: &[usize],
) -> Result<Linearised> {
    let function = Function::new(source.name.clone(), source.linkage, source.span);
    let mut walk = Walk {
        module,
        context: Context {
            builder: Builder::new(function),
            tape: Tape::default(),
        },
        globals: BTreeMap::new(),
    };
    let mut parameters = Vec::new();
    for (id, name) in source.body.parameters.iter().zip(&source.parameter_names) {
        let ty = source.ty(*id).cloned();
        let ty = ty.ok_or(Error::Lost("the type of a parameter"))?;
        let primal = walk.context.builder.parameter(ty, name.clone());
        let tangent = None;
        parameters.push(Dual { primal, tangent });
    }
    let inputs = walk.mark(source, inputs, &mut parameters)?;
    let results = walk.function(source, &parameters)?;
    let Context { builder, tape } = walk.context;
    check_dependence(source, &tape, &parameters, &results)?;
    Ok(Linearised {
        builder,
        tape,
        inputs,
        results: results
            .into_iter()
            .map(|dual| (dual.primal, dual.tangent))
            .collect(),
    })
}

/// Refuses inputs that no result depends on.
fn check_dependence(
    source: &Function,
    tape: &Tape,
    parameters: &[Dual],
    results: &[Dual],
) -> Result<()> {
    let results: Vec<_> = results.iter().filter_map(|dual| dual.tangent).collect();
    let sources = tape.sources(&results);
    for (parameter, name) in parameters.iter().zip(&source.parameter_names) {
        if parameter
            .tangent
            .is_some_and(|node| !sources.contains(&node))
        {
            return Err(Error::Independent {
                function: source.name.clone(),
                parameter: name.clone(),
            });
        }
    }
    Ok(())
}

struct Walk<'m> {
    module: &'m Module,
    context: Context,
    /// The tangents of what was stored to globals.
    globals: BTreeMap<GlobalId, NodeId>,
}

/// What became of the values of a function.
struct Frame<'f> {
    function: &'f Function,
    primals: Values,
    tangents: BTreeMap<ValueId, NodeId>,
}

impl Frame<'_> {
    fn dual(&self, id: ValueId) -> Result<Dual> {
        let primal = self.primals.get(&id).copied();
        Ok(Dual {
            primal: primal.ok_or(Error::Lost("a value"))?,
            tangent: self.tangents.get(&id).copied(),
        })
    }

    fn duals(&self, ids: &[ValueId]) -> Result<Vec<Dual>> {
        ids.iter().map(|id| self.dual(*id)).collect()
    }

    fn define(&mut self, id: ValueId, dual: Dual) {
        self.primals.insert(id, dual.primal);
        self.tangents.extend(dual.tangent.map(|node| (id, node)));
    }
}

impl Walk<'_> {
    /// Gives the marked parameters tangents.
    fn mark(
        &mut self,
        source: &Function,
        inputs: &[usize],
        parameters: &mut [Dual],
    ) -> Result<Vec<NodeId>> {
        let mut nodes = Vec::with_capacity(inputs.len());
        for index in inputs {
            let missing = || Error::NoParameter {
                function: source.name.clone(),
                index: *index,
            };
            let parameter = parameters.get_mut(*index).ok_or_else(missing)?;
            if parameter.tangent.is_some() {
                return Err(missing());
            }
            let ty = self.context.builder.ty(parameter.primal)?;
            if !is_differentiable(ty.dtype) {
                let name = source.parameter_names.get(*index);
                let parameter = name.cloned().unwrap_or_default();
                return Err(Error::Discrete { parameter, ty });
            }
            let node = self.context.tape.input(ty);
            parameter.tangent = Some(node);
            nodes.push(node);
        }
        Ok(nodes)
    }

    /// Runs a function with these arguments.
    fn function(&mut self, function: &Function, arguments: &[Dual]) -> Result<Vec<Dual>> {
        let mut frame = Frame {
            function,
            primals: Values::new(),
            tangents: BTreeMap::new(),
        };
        for (parameter, argument) in function.body.parameters.iter().zip(arguments) {
            frame.define(*parameter, *argument);
        }
        for id in &function.body.operations {
            let operation = function.operations.get(*id);
            let operation = operation.ok_or(Error::Lost("an operation"))?;
            self.context.builder.span = operation.span;
            self.operation(&mut frame, operation)?;
        }
        frame.duals(&function.body.results)
    }

    fn operation(&mut self, frame: &mut Frame<'_>, operation: &Operation) -> Result<()> {
        let active = self.is_active(frame, operation);
        match operation.op.effect() {
            Effect::Calls(call) if active => return self.call(frame, operation, call),
            Effect::Regions if active => return Err(refused(operation, Reason::Region)),
            Effect::Reads(access) => return self.load(frame, operation, access),
            Effect::Writes(access) => return self.store(frame, operation, access),
            Effect::Pure
            | Effect::Shows(_)
            | Effect::Checks(_)
            | Effect::CallsHost(_)
            | Effect::Foreign(_)
            | Effect::Calls(_)
            | Effect::Regions => {}
        }
        self.copy(frame, operation)?;
        match active {
            true => self.differentiate(frame, operation),
            false => Ok(()),
        }
    }

    /// What is loaded has the tangent of what was stored last.
    fn load(
        &mut self,
        frame: &mut Frame<'_>,
        operation: &Operation,
        access: &GlobalAccess,
    ) -> Result<()> {
        self.copy(frame, operation)?;
        let tangent = self.globals.get(&access.global).copied();
        let result = operation.results.first().copied();
        frame.tangents.extend(result.zip(tangent));
        Ok(())
    }

    fn store(
        &mut self,
        frame: &mut Frame<'_>,
        operation: &Operation,
        access: &GlobalAccess,
    ) -> Result<()> {
        let stored = operation.operands.first();
        let tangent = stored.and_then(|id| frame.tangents.get(id)).copied();
        match tangent {
            Some(tangent) => self.globals.insert(access.global, tangent),
            None => self.globals.remove(&access.global),
        };
        self.copy(frame, operation)
    }

    /// Whether an operation reads something that has a tangent.
    fn is_active(&self, frame: &Frame<'_>, operation: &Operation) -> bool {
        let reads = effect::reads(frame.function, operation);
        let globals = || effect::globals(self.module, frame.function, operation);
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
        reads.iter().any(|id| frame.tangents.contains_key(id))
            || inner
                && !self.globals.is_empty()
                && globals().iter().any(|id| self.globals.contains_key(id))
    }

    /// Runs the callee in the place of the call. A name of a size stands for the same number in both, since the types of
    /// operands and parameters are equal.
    fn call(&mut self, frame: &mut Frame<'_>, operation: &Operation, call: &Call) -> Result<()> {
        let callee = self.module.functions.get(call.callee);
        let callee = callee.ok_or(Error::NoFunction(call.callee.index()))?;
        let arguments = frame.duals(&operation.operands)?;
        let results = self.function(callee, &arguments)?;
        for (id, dual) in operation.results.iter().zip(results) {
            frame.define(*id, dual);
        }
        Ok(())
    }

    fn copy(&mut self, frame: &mut Frame<'_>, operation: &Operation) -> Result<()> {
        let target = &mut self.context.builder.function;
        let id = copy::operation(frame.function, operation, &mut frame.primals, target)?;
        target.body.operations.push(id);
        Ok(())
    }

    fn differentiate(&mut self, frame: &mut Frame<'_>, operation: &Operation) -> Result<()> {
        // Operations without a result, as traces, have no derivative; those with several are calls and unknown.
        for id in &operation.results {
            let dual = frame.dual(*id)?;
            let ty = self.context.builder.ty(dual.primal)?;
            if !is_differentiable(ty.dtype) {
                continue;
            }
            let operands = frame.duals(&operation.operands)?;
            let tangent = rules::tangent(&mut self.context, operation, &operands, dual.primal)?;
            frame.tangents.extend(tangent.map(|node| (*id, node)));
        }
        Ok(())
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
