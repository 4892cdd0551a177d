use super::{VerifyError, Violation, function};
use crate::{
    Arena, Constant, Function, FunctionId, Global, GlobalInit, Module, ParameterName,
    op::{Effect, Op},
    span::SpanId,
};
use iree_abi::TensorType;
use std::collections::BTreeSet;

/// Everything that is wrong with a module.
pub(super) fn check(module: &Module) -> Vec<VerifyError> {
    let mut errors = Vec::new();
    if module.name.is_empty() {
        errors.push(at("module", SpanId::CALL_SITE, Violation::NoName));
    }
    let access = functions_with_access(&module.functions);
    let mut names = BTreeSet::new();
    let mut parameters = BTreeSet::new();
    for (_, global) in module.globals.iter() {
        let place = format!("global `{}`", global.name);
        let found = check_name(&global.name, &mut names)
            .into_iter()
            .chain(check_init(module, global, &access))
            .chain(check_parameter(global, &mut parameters));
        errors.extend(found.map(|violation| at(&place, global.span, violation)));
    }
    let mut names = BTreeSet::new();
    for (id, function) in module.functions.iter() {
        let place = format!("function `{}`", function.name);
        let found = check_name(&function.name, &mut names);
        errors.extend(found.map(|violation| at(&place, function.span, violation)));
        errors.extend(function::check(module, id, function));
    }
    errors
}

fn at(place: &str, span: SpanId, violation: Violation) -> VerifyError {
    VerifyError {
        place: place.to_owned(),
        violation,
        span,
    }
}

fn check_name<'a>(name: &'a str, taken: &mut BTreeSet<&'a str>) -> Option<Violation> {
    if name.is_empty() {
        Some(Violation::NoName)
    } else if taken.insert(name) {
        None
    } else {
        Some(Violation::NameTaken)
    }
}

fn check_init(
    module: &Module,
    global: &Global,
    access: &BTreeSet<FunctionId>,
) -> Option<Violation> {
    match &global.init {
        GlobalInit::Constant(constant) => check_constant(&global.ty, constant),
        GlobalInit::Function(function, index) => {
            check_initialiser(module, &global.ty, *function, *index, access)
        }
        GlobalInit::Uninitialized | GlobalInit::Parameter(_) => None,
    }
}

fn check_parameter<'a>(
    global: &'a Global,
    taken: &mut BTreeSet<&'a ParameterName>,
) -> Option<Violation> {
    match &global.init {
        GlobalInit::Parameter(name) if name.scope.is_empty() || name.key.is_empty() => {
            Some(Violation::NoParameterName)
        }
        GlobalInit::Parameter(name) if !taken.insert(name) => Some(Violation::ParameterTaken),
        _ => None,
    }
}

fn check_constant(expected: &TensorType, constant: &Constant) -> Option<Violation> {
    if let Err(error) = Op::Constant(constant.clone()).infer(&[], &[]) {
        return Some(error.into());
    }
    (expected != &constant.ty).then(|| Violation::InitType {
        expected: expected.clone(),
        found: constant.ty.clone(),
    })
}

fn check_initialiser(
    module: &Module,
    expected: &TensorType,
    id: FunctionId,
    index: usize,
    access: &BTreeSet<FunctionId>,
) -> Option<Violation> {
    let Some(function) = module.functions.get(id) else {
        return Some(Violation::UnknownFunction(id.index()));
    };
    let name = || function.name.clone();
    if !function.body.parameters.is_empty() {
        return Some(Violation::InitParameters(name()));
    }
    if access.contains(&id) {
        return Some(Violation::InitAccess(name()));
    }
    let result = function.body.results.get(index);
    let Some(found) = result.and_then(|value| function.ty(*value)) else {
        let function = name();
        return Some(Violation::InitResult { function, index });
    };
    (expected != found).then(|| Violation::InitType {
        expected: expected.clone(),
        found: found.clone(),
    })
}

/// The functions that load or store globals, themselves or through a function that they call.
fn functions_with_access(functions: &Arena<Function>) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    for (id, function) in functions.iter() {
        let accesses =
            function
                .operations
                .iter()
                .any(|(_, operation)| match operation.op.effect() {
                    Effect::Reads(_) | Effect::Writes(_) => true,
                    Effect::Calls(call) => found.contains(&call.callee),
                    Effect::Pure | Effect::Regions | Effect::Foreign(_) => false,
                    Effect::Shows(_) | Effect::Checks(_) | Effect::CallsHost(_) => false,
                });
        if accesses {
            found.insert(id);
        }
    }
    found
}
