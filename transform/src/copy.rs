//! Copies operations from one function into another.

use crate::error::{Error, Result};
use iree_dsl_ir::{Function, Operation, OperationId, Region, Value, ValueId};
use std::collections::BTreeMap;

/// What became of the values of a function.
pub(crate) type Values = BTreeMap<ValueId, ValueId>;

/// Copies an operation and its regions into the arenas of another function. It is in none of its regions yet. Of operations
/// in regions, those are left out that are not to `keep`.
pub(crate) fn operation(
    source: &Function,
    operation: &Operation,
    keep: &dyn Fn(OperationId) -> bool,
    values: &mut Values,
    target: &mut Function,
) -> Result<OperationId> {
    let operands = read_all(values, &operation.operands)?;
    let mut regions = Vec::with_capacity(operation.regions.len());
    for inner in &operation.regions {
        regions.push(region(source, inner, keep, values, target)?);
    }
    let results = define_all(source, &operation.results, values, target)?;
    Ok(target.operations.push(Operation {
        op: operation.op.clone(),
        operands,
        results,
        regions,
        span: operation.span,
    }))
}

/// Copies a region.
pub(crate) fn region(
    source: &Function,
    region: &Region,
    keep: &dyn Fn(OperationId) -> bool,
    values: &mut Values,
    target: &mut Function,
) -> Result<Region> {
    let parameters = define_all(source, &region.parameters, values, target)?;
    let mut operations = Vec::with_capacity(region.operations.len());
    for id in region.operations.iter().filter(|id| keep(**id)) {
        let inner = source.operations.get(*id);
        let inner = inner.ok_or(Error::Lost("an operation"))?;
        operations.push(operation(source, inner, keep, values, target)?);
    }
    Ok(Region {
        parameters,
        operations,
        results: read_all(values, &region.results)?,
    })
}

/// What became of some values.
pub(crate) fn read_all(values: &Values, ids: &[ValueId]) -> Result<Vec<ValueId>> {
    let copies = ids.iter().map(|id| values.get(id).copied());
    let copies: Option<_> = copies.collect();
    copies.ok_or(Error::Lost("a value"))
}

/// Makes values of the same types.
fn define_all(
    source: &Function,
    ids: &[ValueId],
    values: &mut Values,
    target: &mut Function,
) -> Result<Vec<ValueId>> {
    let mut copies = Vec::with_capacity(ids.len());
    for id in ids {
        let ty = source.ty(*id).cloned();
        let ty = ty.ok_or(Error::Lost("the type of a value"))?;
        let copy = target.values.push(Value { ty });
        values.insert(*id, copy);
        copies.push(copy);
    }
    Ok(copies)
}
