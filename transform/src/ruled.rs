//! Functions with derivatives of their own.

use crate::{
    builder::Builder,
    error::{Error, Reason, Result},
    linear::Contribution,
    tape::{Cotangents, NodeId},
    walk::{Mode, Walk, refused},
};
use iree_abi::TensorType;
use iree_dsl_ir::{
    FunctionId, Operation, OperationId, SpanId, ValueId,
    op::{Call, Op},
};

/// How the derivative of a function is computed, instead of following what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The kind, with its functions.
    pub kind: RuleKind,
    /// The positions of the parameters that it has tangents or cotangents for, in their order.
    pub by: Vec<usize>,
}

/// A kind of rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// A function of the arguments and their tangents, linear in these, which returns the results and their tangents.
    Jvp(FunctionId),
    /// Two functions: of the arguments, which returns the results and what the other one needs; of that and the cotangents
    /// of the results, which returns those of the arguments.
    Vjp {
        /// The first.
        keep: FunctionId,
        /// The second.
        back: FunctionId,
    },
}

/// The second function of a rule, which leads cotangents back.
#[derive(Clone, Debug)]
pub(crate) struct Ruled {
    back: Call,
    kept: Vec<ValueId>,
    inputs: Vec<Option<NodeId>>,
    /// The types of the results of the function.
    types: Vec<TensorType>,
    span: SpanId,
}

impl Ruled {
    pub(crate) fn kept_mut(&mut self) -> Vec<&mut ValueId> {
        self.kept.iter_mut().collect()
    }

    pub(crate) fn reads(&self) -> impl Iterator<Item = NodeId> {
        self.inputs.iter().copied().flatten()
    }

    /// A call of the function.
    pub(crate) fn transpose(
        &self,
        builder: &mut Builder,
        output: &dyn Fn(usize) -> NodeId,
        found: &mut Cotangents,
    ) -> Result<()> {
        let Some(seeds) = found.of_outputs(self.types.len(), output) else {
            return Ok(());
        };
        builder.span = self.span;
        let mut operands = self.kept.clone();
        for (seed, ty) in seeds.into_iter().zip(&self.types) {
            operands.push(builder.or_zeros(seed, ty)?);
        }
        let call = Op::Call(self.back.clone());
        let results = builder.emit_with_regions(call, &operands, Vec::new())?;
        for (node, result) in self.inputs.iter().zip(results) {
            if let Some(node) = node {
                found.add(*node, Contribution::Dense(result));
            }
        }
        Ok(())
    }
}

impl Walk<'_> {
    /// A call of a function that has a rule.
    pub(crate) fn ruled(
        &mut self,
        id: OperationId,
        operation: Operation,
        rule: &Rule,
    ) -> Result<()> {
        match rule.kind {
            RuleKind::Jvp(function) => {
                self.keep(id, operation.clone())?;
                self.push_by_rule(&operation, function, &rule.by)
            }
            RuleKind::Vjp { .. } if self.mode == Mode::Forward => {
                Err(refused(&operation, Reason::Backwards))
            }
            RuleKind::Vjp { keep, back } => self.pull_by_rule(&operation, keep, back, &rule.by),
        }
    }

    /// Follows the rule at tangents that are 0: since it is linear, it changes with them as the function does with its
    /// arguments.
    fn push_by_rule(
        &mut self,
        operation: &Operation,
        function: FunctionId,
        by: &[usize],
    ) -> Result<()> {
        let mut arguments = Vec::with_capacity(operation.operands.len() + by.len());
        for operand in &operation.operands {
            let ty = self.context.builder.ty(*operand)?;
            let constant = self.context.builder.value(ty);
            self.name(constant, *operand);
            arguments.push(constant);
        }
        for position in by {
            let operand = operation.operands.get(*position).copied();
            let operand = operand.ok_or(Error::Lost("an operand"))?;
            let ty = self.context.builder.ty(operand)?;
            let zeros = self.context.builder.zeros(&ty)?;
            let tangent = self.context.builder.value(ty);
            self.name(tangent, zeros);
            let node = self.tangents.get(&operand).copied();
            self.tangents.extend(node.map(|node| (tangent, node)));
            arguments.push(tangent);
        }
        let results = self.inline(function, &arguments)?;
        let changes = results.into_iter().skip(operation.results.len());
        for (result, change) in operation.results.iter().zip(changes) {
            let node = self.tangents.get(&change).copied();
            self.tangents.extend(node.map(|node| (*result, node)));
        }
        Ok(())
    }

    /// Calls the first function of a rule, and notes the second.
    fn pull_by_rule(
        &mut self,
        operation: &Operation,
        keep: FunctionId,
        back: FunctionId,
        by: &[usize],
    ) -> Result<()> {
        let operands = self.named(&operation.operands);
        let (keep, back) = (self.call_of(keep)?, self.call_of(back)?);
        let builder = &mut self.context.builder;
        let results = builder.emit_with_regions(Op::Call(keep), &operands, Vec::new())?;
        let (own, kept) = results
            .split_at_checked(operation.results.len())
            .ok_or(Error::Lost("a result of a rule"))?;
        let types = builder.types(own)?;
        let inputs = by.iter().map(|position| {
            let operand = operation.operands.get(*position)?;
            self.tangents.get(operand).copied()
        });
        let ruled = Ruled {
            back,
            kept: kept.to_vec(),
            inputs: inputs.collect(),
            types: types.clone(),
            span: operation.span,
        };
        let nodes = self.context.tape.ruled(ruled, types);
        for ((result, own), node) in operation.results.iter().zip(own).zip(nodes) {
            self.name(*result, *own);
            self.tangents.insert(*result, node);
        }
        Ok(())
    }

    /// A call of a function of the module.
    fn call_of(&self, id: FunctionId) -> Result<Call> {
        let callee = self.module.functions.get(id);
        let callee = callee.ok_or(Error::NoFunction(id.index()))?;
        let types = |values: &[ValueId]| callee.types(values).ok_or(Error::Lost("a type"));
        Ok(Call {
            callee: id,
            parameters: types(&callee.body.parameters)?,
            results: types(&callee.body.results)?,
        })
    }
}
