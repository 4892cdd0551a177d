//! What operations do beside computing their results.

use iree_dsl_ir::{
    Function, GlobalId, Module, Operation, OperationId, Region, ValueId, op::Effect,
};
use std::collections::BTreeSet;

/// Whether somebody could tell if the operation did not run, apart from its results.
pub fn has_effect(module: &Module, function: &Function, operation: &Operation) -> bool {
    let own = match operation.op.effect() {
        Effect::Pure | Effect::Reads(_) | Effect::Regions => false,
        Effect::Writes(_)
        | Effect::Shows(_)
        | Effect::Checks(_)
        | Effect::CallsHost(_)
        | Effect::Foreign(_) => true,
        Effect::Calls(call) => module.functions.get(call.callee).is_none_or(|callee| {
            let mut steps = callee.operations.iter();
            steps.any(|(_, step)| has_effect(module, callee, step))
        }),
    };
    own || inside(function, operation)
        .iter()
        .any(|inner| has_effect(module, function, inner))
}

/// Whether an operation calls the host, itself, in its regions or in what it calls.
pub(crate) fn calls_host(module: &Module, function: &Function, operation: &Operation) -> bool {
    let own = match operation.op.effect() {
        Effect::CallsHost(_) => true,
        Effect::Calls(call) => module.functions.get(call.callee).is_some_and(|callee| {
            let mut steps = callee.operations.iter();
            steps.any(|(_, step)| calls_host(module, callee, step))
        }),
        Effect::Pure | Effect::Reads(_) | Effect::Writes(_) | Effect::Regions => false,
        Effect::Shows(_) | Effect::Checks(_) | Effect::Foreign(_) => false,
    };
    own || inside(function, operation)
        .iter()
        .any(|inner| calls_host(module, function, inner))
}

/// Whether what an operation computes may be computed again. What others compute is kept.
pub(crate) fn may_run_again(function: &Function, operation: &Operation) -> bool {
    let own = match operation.op.effect() {
        Effect::Pure | Effect::Reads(_) | Effect::Calls(_) | Effect::Regions => true,
        Effect::Writes(_) | Effect::Shows(_) | Effect::Checks(_) => false,
        Effect::CallsHost(_) | Effect::Foreign(_) => false,
    };
    // What has no results in a region is left out there.
    let mut inner = inside(function, operation).into_iter();
    own && inner.all(|inner| inner.results.is_empty() || may_run_again(function, inner))
}

/// Removes from the regions of an operation what is there for its effect alone.
pub(crate) fn remove(function: &mut Function, id: OperationId) {
    let Some(operation) = function.operations.get(id) else {
        return;
    };
    let mut regions = operation.regions.clone();
    for region in &mut regions {
        region.operations.retain(|inner| {
            let inner = function.operations.get(*inner);
            inner.is_some_and(|inner| !inner.results.is_empty())
        });
        for inner in &region.operations {
            remove(function, *inner);
        }
    }
    if let Some(operation) = function.operations.get_mut(id) {
        operation.regions = regions;
    }
}

/// Whether an operation stores a global, itself or in its regions.
pub(crate) fn stores(function: &Function, operation: &Operation) -> bool {
    let own = matches!(operation.op.effect(), Effect::Writes(_));
    let mut inner = inside(function, operation).into_iter();
    own || inner.any(|inner| stores(function, inner))
}

/// The operations in the regions of an operation, not those in regions of these.
fn inside<'f>(function: &'f Function, operation: &Operation) -> Vec<&'f Operation> {
    let regions = operation.regions.iter();
    let ids = regions.flat_map(|region| &region.operations);
    ids.filter_map(|id| function.operations.get(*id)).collect()
}

/// The globals that an operation loads or stores, itself, in its regions or in what it calls.
pub(crate) fn globals(
    module: &Module,
    function: &Function,
    operation: &Operation,
) -> BTreeSet<GlobalId> {
    let mut found = BTreeSet::new();
    match operation.op.effect() {
        Effect::Reads(access) | Effect::Writes(access) => found.extend([access.global]),
        Effect::Calls(call) => {
            if let Some(callee) = module.functions.get(call.callee) {
                for (_, step) in callee.operations.iter() {
                    found.extend(globals(module, callee, step));
                }
            }
        }
        Effect::Pure
        | Effect::Shows(_)
        | Effect::Checks(_)
        | Effect::CallsHost(_)
        | Effect::Foreign(_)
        | Effect::Regions => {}
    }
    for inner in inside(function, operation) {
        found.extend(globals(module, function, inner));
    }
    found
}

/// The values that an operation reads, also in its regions.
pub(crate) fn reads(function: &Function, operation: &Operation) -> BTreeSet<ValueId> {
    let mut found: BTreeSet<_> = operation.operands.iter().copied().collect();
    let regions = operation.regions.iter();
    found.extend(regions.flat_map(|region| reads_of(function, region)));
    found
}

/// The values that an operation defines, also in its regions.
pub(crate) fn defines(function: &Function, operation: &Operation) -> BTreeSet<ValueId> {
    let mut found: BTreeSet<_> = operation.results.iter().copied().collect();
    let regions = operation.regions.iter();
    found.extend(regions.flat_map(|region| &region.parameters));
    let inner = inside(function, operation).into_iter();
    found.extend(inner.flat_map(|inner| defines(function, inner)));
    found
}

/// The values that a region reads or hands on, also its own.
pub(crate) fn reads_of(function: &Function, region: &Region) -> BTreeSet<ValueId> {
    let mut found: BTreeSet<_> = region.results.iter().copied().collect();
    let operations = region.operations.iter();
    let operations = operations.filter_map(|id| function.operations.get(*id));
    found.extend(operations.flat_map(|operation| reads(function, operation)));
    found
}
