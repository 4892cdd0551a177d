use super::Violation;
use crate::{
    Function, FunctionId, Global, Module, Operation,
    op::{Call, Effect, GlobalAccess, RegionType},
};

/// What is wrong with an operation by itself, its values aside.
pub(super) fn check(
    module: &Module,
    caller: FunctionId,
    function: &Function,
    operation: &Operation,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    violations.extend(check_types(function, operation));
    violations.extend(match operation.op.effect() {
        Effect::Calls(call) => check_call(module, caller, call),
        Effect::Reads(access) => check_access(module, access).err(),
        Effect::Writes(access) => check_store(module, access).err(),
        Effect::Pure | Effect::Regions | Effect::Foreign(_) => None,
        Effect::Shows(_) | Effect::Checks(_) | Effect::CallsHost(_) => None,
    });
    violations
}

/// Compares the recorded result types with those that the operation has for its operands.
fn check_types(function: &Function, operation: &Operation) -> Option<Violation> {
    // Values that do not exist are reported by the walk over the regions.
    let operands = function.types(&operation.operands)?;
    let recorded = function.types(&operation.results)?;
    let regions = operation.regions.iter().map(|region| {
        Some(RegionType {
            parameters: function.types(&region.parameters)?,
            results: function.types(&region.results)?,
        })
    });
    let regions = regions.collect::<Option<Vec<_>>>()?;
    match operation.op.infer(&operands, &regions) {
        Ok(inferred) if inferred == recorded => None,
        Ok(inferred) => Some(Violation::ResultTypes { inferred, recorded }),
        Err(error) => Some(error.into()),
    }
}

fn check_call(module: &Module, caller: FunctionId, call: &Call) -> Option<Violation> {
    let Some(callee) = module.functions.get(call.callee) else {
        return Some(Violation::UnknownFunction(call.callee.index()));
    };
    if call.callee >= caller {
        return Some(Violation::CalleeNotBefore(callee.name.clone()));
    }
    let parameters = callee.types(&callee.body.parameters)?;
    let results = callee.types(&callee.body.results)?;
    let equal = parameters == call.parameters && results == call.results;
    (!equal).then(|| Violation::CalleeTypes(callee.name.clone()))
}

fn check_access<'a>(module: &'a Module, access: &GlobalAccess) -> Result<&'a Global, Violation> {
    let global = module.globals.get(access.global);
    let global = global.ok_or(Violation::UnknownGlobal(access.global.index()))?;
    if global.ty == access.ty {
        Ok(global)
    } else {
        Err(Violation::GlobalType {
            name: global.name.clone(),
            expected: global.ty.clone(),
            found: access.ty.clone(),
        })
    }
}

fn check_store(module: &Module, access: &GlobalAccess) -> Result<(), Violation> {
    let global = check_access(module, access)?;
    if global.mutable {
        Ok(())
    } else {
        Err(Violation::ImmutableGlobal(global.name.clone()))
    }
}
