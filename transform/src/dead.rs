//! Removes what nobody reads.

use crate::{
    copy,
    effect::{has_effect, reads},
    error::{Error, Result},
};
use iree_dsl_ir::{Function, Module, OperationId, ValueId};
use std::collections::BTreeSet;

/// The function without operations that have no effect and whose results are not read.
pub(crate) fn remove(module: &Module, function: &Function) -> Result<Function> {
    let mut left = Function::new(function.name.clone(), function.linkage, function.span);
    left.parameter_names = function.parameter_names.clone();
    let mut values = copy::Values::new();
    let parameters = &function.body.parameters;
    left.body.parameters = copy::define_all(function, parameters, &mut values, &mut left)?;
    for id in live(module, function)? {
        let operation = function.operations.get(id);
        let operation = operation.ok_or(Error::Lost("an operation"))?;
        let id = copy::operation(function, operation, &mut values, &mut left)?;
        left.body.operations.push(id);
    }
    left.body.results = copy::read_all(&values, &function.body.results)?;
    Ok(left)
}

/// The operations of the body that are needed, first to last.
fn live(module: &Module, function: &Function) -> Result<Vec<OperationId>> {
    let mut needed: BTreeSet<ValueId> = function.body.results.iter().copied().collect();
    let mut live = Vec::new();
    for id in function.body.operations.iter().rev() {
        let operation = function.operations.get(*id);
        let operation = operation.ok_or(Error::Lost("an operation"))?;
        let is_read = operation
            .results
            .iter()
            .any(|result| needed.contains(result));
        if is_read || has_effect(module, function, operation) {
            needed.extend(reads(function, operation));
            live.push(*id);
        }
    }
    live.reverse();
    Ok(live)
}
