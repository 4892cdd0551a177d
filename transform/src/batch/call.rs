//! Calls: what the callee does takes their place, but for functions with derivatives of their own, which get a copy for the
//! batch, with derivatives of its own.

use super::{Batch, Lane, branch::lanes};
use crate::{
    builder::Builder,
    copy::{self, Values},
    dead,
    derive::unused,
    effect,
    error::{Error, Result},
    ruled::{Rule, RuleKind},
};
use iree_dsl_ir::{
    Function, FunctionId, Linkage, Operation, OperationId, Value, ValueId,
    op::{Call, Op, Reduce, ReduceKind},
};
use std::collections::BTreeMap;

impl Batch<'_> {
    pub(super) fn call(&mut self, operation: &Operation, call: &Call) -> Result<Vec<Lane>> {
        if !self.rules.contains_key(&call.callee) {
            return self.inlined(call.callee, &operation.operands);
        }
        let operands = self.all_lanes(&operation.operands);
        let mapped: Vec<bool> = operands.iter().map(|lane| lane.is_mapped).collect();
        let is_host = effect::calls_host(self.module, &self.builder.function, operation);
        let copy = match self.mask {
            Some(_) if is_host => None,
            _ => self.copied(call.callee, &mapped)?,
        };
        let Some(copy) = copy else {
            return self.one_by_one(operation);
        };
        let operands: Vec<_> = operands.iter().map(|lane| lane.value).collect();
        let call = Call {
            callee: copy,
            parameters: self.builder.types(&operands)?,
            results: call.results.iter().map(|ty| self.batched(ty)).collect(),
        };
        let results = self
            .builder
            .emit_with_regions(Op::Call(call), &operands, Vec::new())?;
        let all = vec![true; results.len()];
        Ok(lanes(results, &all))
    }

    /// What a function does with these arguments, which are values of one element.
    fn inlined(&mut self, callee: FunctionId, arguments: &[ValueId]) -> Result<Vec<Lane>> {
        let callee = self
            .module
            .functions
            .get(callee)
            .ok_or(Error::NoFunction(callee.index()))?;
        let parameters = callee.body.parameters.iter().copied();
        let mut values = parameters.zip(arguments.iter().copied()).collect();
        let operations = copies(callee, &mut values, &mut self.builder.function)?;
        let results = copy::read_all(&values, &callee.body.results)?;
        self.block(&operations)?;
        Ok(self.all_lanes(&results))
    }

    /// A copy of a function for arguments of which some differ from element to element, and of its rule. `None` if its
    /// arguments do not tell how many elements there are.
    fn copied(&mut self, callee: FunctionId, mapped: &[bool]) -> Result<Option<FunctionId>> {
        let key = (callee, mapped.to_vec());
        if let Some(copy) = self.copies.get(&key) {
            return Ok(*copy);
        }
        // A rule may call the function that it is for.
        let copy = self.function(callee, mapped, &[])?;
        self.copies.insert(key.clone(), copy);
        if let Some(copy) = copy
            && !self.copy_rule(callee, copy, mapped)?
        {
            self.copies.insert(key.clone(), None);
        }
        Ok(self.copies.get(&key).copied().flatten())
    }

    /// Gives a copy of a function copies of what its rule names. Whether all of them exist.
    fn copy_rule(&mut self, callee: FunctionId, copy: FunctionId, mapped: &[bool]) -> Result<bool> {
        let rule = self.rules.get(&callee).cloned();
        let Rule { kind, by } = rule.ok_or(Error::Lost("a rule"))?;
        let own = by
            .iter()
            .filter_map(|position| mapped.get(*position).copied());
        let own: Vec<bool> = own.collect();
        let kind = match kind {
            RuleKind::Jvp(function) => {
                let all = [mapped, own.as_slice()].concat();
                self.function(function, &all, &[])?.map(RuleKind::Jvp)
            }
            RuleKind::Vjp { keep, back } => {
                let given = self.module.functions.get(back);
                let given = given.map_or(0, |back| back.body.parameters.len());
                let keep = self.function(keep, mapped, &[])?;
                // What is the same for all elements has a cotangent of all of them.
                let summed: Vec<bool> = own.iter().map(|is_mapped| !is_mapped).collect();
                let back = self.function(back, &vec![true; given], &summed)?;
                keep.zip(back)
                    .map(|(keep, back)| RuleKind::Vjp { keep, back })
            }
        };
        let exists = kind.is_some();
        self.rules
            .extend(kind.map(|kind| (copy, Rule { kind, by })));
        Ok(exists)
    }

    /// Adds a copy of a function to the module, whose results are those of each element, or their sums.
    fn function(
        &mut self,
        source: FunctionId,
        mapped: &[bool],
        summed: &[bool],
    ) -> Result<Option<FunctionId>> {
        let source = self.module.functions.get(source).cloned();
        let source = source.ok_or(Error::Lost("a function"))?;
        let name = unused(self.module, &format!("{}.batch", source.name));
        let mut target = Function::new(name, Linkage::Private, source.span);
        target.parameter_names = source.parameter_names.clone();
        let (mut values, mut inside) = (Values::new(), BTreeMap::new());
        for (parameter, is_mapped) in source.body.parameters.iter().zip(mapped) {
            let ty = source.ty(*parameter).cloned();
            let ty = ty.ok_or(Error::Lost("the type of a parameter"))?;
            let batched = self.batched(&ty);
            let element = target.values.push(Value { ty });
            values.insert(*parameter, element);
            target.body.parameters.push(match is_mapped {
                true => {
                    let all = target.values.push(Value { ty: batched });
                    inside.insert(element, Lane::each(all));
                    all
                }
                false => element,
            });
        }
        if !self.is_told(&target) {
            return Ok(None);
        }
        let operations = copies(&source, &mut values, &mut target)?;
        let results = copy::read_all(&values, &source.body.results)?;
        let target = self.finished(target, inside, &operations, &results, summed)?;
        Ok(Some(self.module.functions.push(target)))
    }

    /// Whether the parameters of a function tell how many elements there are.
    fn is_told(&self, function: &Function) -> bool {
        let sizes = function.sizes();
        let size = self.size.extent();
        let is_told = |name: &&str| sizes.iter().any(|told| told.name == *name);
        size.is_some_and(|size| size.names().iter().all(is_told))
    }

    /// A function with the batch in these operations of its own.
    fn finished(
        &mut self,
        target: Function,
        inside: BTreeMap<ValueId, Lane>,
        operations: &[OperationId],
        results: &[ValueId],
        summed: &[bool],
    ) -> Result<Function> {
        let builder = Builder::new(target, Vec::new());
        let outer = (
            std::mem::replace(&mut self.builder, builder),
            std::mem::replace(&mut self.lanes, inside),
            self.mask.take(),
        );
        let done = self.whole(operations, results, summed);
        let inner;
        (inner, self.lanes, self.mask) = (
            std::mem::replace(&mut self.builder, outer.0),
            outer.1,
            outer.2,
        );
        let (mut function, operations) = inner.finish();
        function.body.operations = operations;
        function.body.results = done?;
        dead::remove(self.module, &function)
    }

    fn whole(
        &mut self,
        operations: &[OperationId],
        results: &[ValueId],
        summed: &[bool],
    ) -> Result<Vec<ValueId>> {
        self.block(operations)?;
        let mut found = Vec::with_capacity(results.len());
        for (position, result) in results.iter().enumerate() {
            let each = self.spread(self.lane(*result))?;
            found.push(match summed.get(position) {
                Some(true) => {
                    let (kind, axes) = (ReduceKind::Sum, vec![0]);
                    self.builder
                        .emit(Op::Reduce(Reduce { kind, axes }), &[each])?
                }
                _ => each,
            });
        }
        Ok(found)
    }
}

/// Copies of the operations of a function in another one, not in its body yet.
fn copies(
    source: &Function,
    values: &mut Values,
    target: &mut Function,
) -> Result<Vec<OperationId>> {
    let mut operations = Vec::with_capacity(source.body.operations.len());
    for id in &source.body.operations {
        let step = source
            .operations
            .get(*id)
            .ok_or(Error::Lost("an operation"))?;
        operations.push(copy::operation(source, step, &|_| true, values, target)?);
    }
    Ok(operations)
}
