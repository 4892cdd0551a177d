use super::*;
use crate::{
    Arena, Constant, ConstantData, Function, FunctionId, Global, GlobalId, GlobalInit, Id, Linkage,
    Operation, OperationId, ParameterName, Region, Value, ValueId,
    op::{BinaryOp, Call, GlobalAccess, InferError, Op, UnaryOp},
    span::SpanId,
};
use iree_abi::{DType, TensorType};

const SPAN: SpanId = SpanId::CALL_SITE;

/// An index past everything in these tests.
fn foreign<T>(item: impl Fn() -> T) -> Id<T> {
    let mut arena = Arena::default();
    (0..9).for_each(|_| _ = arena.push(item()));
    arena.push(item())
}

fn ty(dtype: DType) -> TensorType {
    TensorType::new(dtype, [2])
}

fn zero(ty: TensorType) -> Constant {
    let data = ConstantData::Splat(vec![0; ty.dtype.size()]);
    Constant { ty, data }
}

fn function(name: &str) -> Function {
    Function::new(name, Linkage::Private, SPAN)
}

fn value(function: &mut Function, dtype: DType) -> ValueId {
    function.values.push(Value { ty: ty(dtype) })
}

fn parameter(function: &mut Function, dtype: DType) -> ValueId {
    let value = value(function, dtype);
    function.body.parameters.push(value);
    function.parameter_names.push("p".into());
    value
}

fn operation(op: Op, operands: &[ValueId], results: &[ValueId]) -> Operation {
    Operation {
        op,
        operands: operands.to_vec(),
        results: results.to_vec(),
        regions: Vec::new(),
        span: SPAN,
    }
}

fn run(function: &mut Function, op: Op, operands: &[ValueId], results: &[ValueId]) -> OperationId {
    let operation = function.operations.push(operation(op, operands, results));
    function.body.operations.push(operation);
    operation
}

/// A function `double` with one parameter, `x + x` and one result.
fn double() -> Function {
    let mut double = function("double");
    let x = parameter(&mut double, DType::F32);
    let sum = value(&mut double, DType::F32);
    run(&mut double, Op::Binary(BinaryOp::Add), &[x, x], &[sum]);
    double.body.results.push(sum);
    double
}

/// A function `make` without parameters and with one result.
fn make() -> Function {
    let mut make = function("make");
    let result = value(&mut make, DType::F32);
    let op = Op::Constant(zero(ty(DType::F32)));
    run(&mut make, op, &[], &[result]);
    make.body.results.push(result);
    make
}

fn global(name: &str, init: GlobalInit) -> Global {
    Global {
        name: name.into(),
        ty: ty(DType::F32),
        mutable: false,
        init,
        span: SPAN,
    }
}

fn with(functions: impl IntoIterator<Item = Function>) -> Module {
    let mut module = Module::new("m");
    for function in functions {
        module.functions.push(function);
    }
    module
}

fn with_global(global: Global, functions: impl IntoIterator<Item = Function>) -> Module {
    let mut module = with(functions);
    module.globals.push(global);
    module
}

fn violations(module: Module) -> Vec<Violation> {
    let errors = verify(module).expect_err("the module is wrong");
    errors.into_iter().map(|error| error.violation).collect()
}

fn first_id<T>(arena: &Arena<T>) -> Id<T> {
    arena.iter().next().expect("it has one").0
}

#[test]
fn a_sound_module_stays_as_it_is() {
    let functions = [double(), make()];
    let make = first_id(&with([self::make()]).functions);
    let mut module = with([functions[1].clone(), functions[0].clone()]);
    module
        .globals
        .push(global("g", GlobalInit::Function(make, 0)));
    let verified = verify(module.clone()).expect("it is sound");
    assert_eq!(verified.module(), &module);
}

#[test]
fn errors_name_function_and_operation() {
    let mut double = double();
    let x = double.body.parameters[0];
    run(&mut double, Op::Unary(UnaryOp::Not), &[x], &[x]);
    let errors = verify(with([double])).expect_err("the module is wrong");
    assert_eq!(
        errors[0].to_string(),
        "function `double`, operation 1 (`not`): `not` is not defined for `f32`"
    );
}

#[test]
fn names_are_there_and_unique() {
    assert_eq!(violations(Module::new("")), [Violation::NoName]);
    assert_eq!(violations(with([function("")])), [Violation::NoName]);
    assert_eq!(violations(with([make(), make()])), [Violation::NameTaken]);
    let mut module = Module::new("m");
    for _ in 0..2 {
        module.globals.push(global("g", GlobalInit::Uninitialized));
    }
    assert_eq!(violations(module), [Violation::NameTaken]);
}

#[test]
fn indices_are_in_range() {
    let f32 = || Value { ty: ty(DType::F32) };
    let unknown_value = foreign(f32);
    let mut results = make();
    results.body.results.push(unknown_value);
    assert_eq!(violations(with([results])), [Violation::UnknownValue(9)]);

    let mut operands = double();
    let op = Op::Unary(UnaryOp::Exp);
    let result = value(&mut operands, DType::F32);
    run(&mut operands, op.clone(), &[unknown_value], &[result]);
    assert_eq!(violations(with([operands])), [Violation::UnknownValue(9)]);

    let mut defined = double();
    let x = defined.body.parameters[0];
    run(&mut defined, op.clone(), &[x], &[unknown_value]);
    assert_eq!(violations(with([defined])), [Violation::UnknownValue(9)]);

    let mut steps = make();
    let step = foreign(|| operation(op.clone(), &[], &[]));
    steps.body.operations.push(step);
    assert_eq!(violations(with([steps])), [Violation::UnknownOperation(9)]);
}

#[test]
fn a_value_is_defined_before_its_use() {
    let mut late = function("late");
    let (a, b) = (value(&mut late, DType::F32), value(&mut late, DType::F32));
    run(&mut late, Op::Unary(UnaryOp::Exp), &[b], &[a]);
    run(&mut late, Op::Constant(zero(ty(DType::F32))), &[], &[b]);
    assert_eq!(violations(with([late])), [Violation::NotDefined(1)]);
}

#[test]
fn a_value_ends_with_its_region() {
    let mut nested = make();
    let inner = value(&mut nested, DType::F32);
    let step = operation(Op::Constant(zero(ty(DType::F32))), &[], &[inner]);
    let region = Region {
        operations: vec![nested.operations.push(step)],
        results: vec![inner],
        ..Region::default()
    };
    let owner = first_id(&nested.operations);
    let owner = nested.operations.get_mut(owner).expect("it has one");
    owner.regions.push(region);
    nested.body.results.push(inner);
    let regions = Violation::Infer(InferError::RegionCount {
        expected: 0,
        found: 1,
    });
    assert_eq!(
        violations(with([nested])),
        [regions, Violation::NotDefined(1)]
    );
}

#[test]
fn a_value_is_defined_once() {
    let mut twice = double();
    let x = twice.body.parameters[0];
    let op = Op::Constant(zero(ty(DType::F32)));
    run(&mut twice, op, &[], &[x]);
    assert_eq!(violations(with([twice])), [Violation::DefinedTwice(0)]);

    let mut never = make();
    value(&mut never, DType::F32);
    assert_eq!(violations(with([never])), [Violation::NeverDefined(1)]);
}

#[test]
fn an_operation_runs_once() {
    let mut twice = double();
    let step = twice.body.operations[0];
    twice.body.operations.push(step);
    assert_eq!(violations(with([twice])), [Violation::OccursTwice(0)]);

    let mut never = make();
    let global = foreign(|| global("g", GlobalInit::Uninitialized));
    let ty = ty(DType::F32);
    let load = operation(Op::GlobalLoad(GlobalAccess { global, ty }), &[], &[]);
    never.operations.push(load);
    assert_eq!(violations(with([never])), [Violation::InNoRegion(1)]);
}

#[test]
fn types_are_those_of_the_operation() {
    let mut wrong = double();
    let x = wrong.body.parameters[0];
    let result = value(&mut wrong, DType::I8);
    run(&mut wrong, Op::Unary(UnaryOp::Exp), &[x], &[result]);
    let expected = Violation::ResultTypes {
        inferred: vec![ty(DType::F32)],
        recorded: vec![ty(DType::I8)],
    };
    assert_eq!(violations(with([wrong])), [expected]);

    let mut missing = double();
    let x = missing.body.parameters[0];
    let op = Op::Binary(BinaryOp::Add);
    let result = value(&mut missing, DType::F32);
    run(&mut missing, op, &[x], &[result]);
    let expected = InferError::OperandCount {
        expected: 2,
        found: 1,
    };
    assert_eq!(violations(with([missing])), [Violation::Infer(expected)]);
}

/// A function that calls `callee` with a value of the element type.
fn caller(callee: FunctionId, dtype: DType) -> Function {
    let mut caller = function("caller");
    let x = parameter(&mut caller, dtype);
    let result = value(&mut caller, DType::F32);
    let call = Call {
        callee,
        parameters: vec![ty(dtype)],
        results: vec![ty(DType::F32)],
    };
    run(&mut caller, Op::Call(call), &[x], &[result]);
    caller
}

#[test]
fn calls_fit_an_earlier_function() {
    let first = first_id(&with([double()]).functions);
    assert!(verify(with([double(), caller(first, DType::F32)])).is_ok());
    assert_eq!(
        violations(with([double(), caller(first, DType::I8)])),
        [Violation::CalleeTypes("double".into())]
    );
    assert_eq!(
        violations(with([caller(first, DType::F32)])),
        [Violation::CalleeNotBefore("caller".into())]
    );
    assert_eq!(
        violations(with([caller(foreign(double), DType::F32)])),
        [Violation::UnknownFunction(9)]
    );
}

/// A function that loads and stores a global.
fn access(global: GlobalId, dtype: DType) -> Function {
    let mut access = function("access");
    let loaded = value(&mut access, dtype);
    let on = || GlobalAccess {
        global,
        ty: ty(dtype),
    };
    run(&mut access, Op::GlobalLoad(on()), &[], &[loaded]);
    run(&mut access, Op::GlobalStore(on()), &[loaded], &[]);
    access
}

#[test]
fn globals_are_accessed_as_declared() {
    let declared = global("g", GlobalInit::Uninitialized);
    let mutable = Global {
        mutable: true,
        ..declared.clone()
    };
    let id = first_id(&with_global(declared.clone(), []).globals);
    assert!(verify(with_global(mutable.clone(), [access(id, DType::F32)])).is_ok());
    assert_eq!(
        violations(with_global(declared, [access(id, DType::F32)])),
        [Violation::ImmutableGlobal("g".into())]
    );
    let wrong = Violation::GlobalType {
        name: "g".into(),
        expected: ty(DType::F32),
        found: ty(DType::I8),
    };
    assert_eq!(
        violations(with_global(mutable.clone(), [access(id, DType::I8)])),
        [wrong.clone(), wrong]
    );
    let unknown = foreign(|| mutable.clone());
    assert_eq!(
        violations(with_global(mutable.clone(), [access(unknown, DType::F32)])),
        [Violation::UnknownGlobal(9), Violation::UnknownGlobal(9)]
    );
}

#[test]
fn first_values_have_the_type_of_the_global() {
    let constant = |constant| global("g", GlobalInit::Constant(constant));
    assert!(verify(with_global(constant(zero(ty(DType::F32))), [])).is_ok());
    let wrong = Violation::InitType {
        expected: ty(DType::F32),
        found: ty(DType::I8),
    };
    let found = violations(with_global(constant(zero(ty(DType::I8))), []));
    assert_eq!(found, [wrong]);
    let short = Constant {
        ty: ty(DType::F32),
        data: ConstantData::Dense(vec![0; 3]),
    };
    let wrong = InferError::ConstantSize {
        expected: 8,
        found: 3,
    };
    let found = violations(with_global(constant(short), []));
    assert_eq!(found, [Violation::Infer(wrong)]);
}

#[test]
fn parameters_have_names_of_their_own() {
    let parameter = |global_name: &str, scope: &str, key: &str| {
        let name = ParameterName {
            scope: scope.into(),
            key: key.into(),
        };
        global(global_name, GlobalInit::Parameter(name))
    };
    let found = |globals: [Global; 2]| {
        let mut module = with([]);
        for global in globals {
            module.globals.push(global);
        }
        verify(module).err().map(|errors| {
            let violations = errors.into_iter().map(|error| error.violation);
            violations.collect::<Vec<_>>()
        })
    };
    let first = || parameter("a", "model", "w");
    assert_eq!(found([first(), parameter("b", "model", "v")]), None);
    assert_eq!(found([first(), parameter("b", "other", "w")]), None);
    let taken = Some(vec![Violation::ParameterTaken]);
    assert_eq!(found([first(), parameter("b", "model", "w")]), taken);
    let unnamed = Some(vec![Violation::NoParameterName]);
    assert_eq!(found([first(), parameter("b", "", "w")]), unnamed);
    assert_eq!(found([first(), parameter("b", "model", "")]), unnamed);
}

#[test]
fn initialisers_give_the_value_by_themselves() {
    let first = first_id(&with([double()]).functions);
    let from = |function, index| global("g", GlobalInit::Function(function, index));
    let name = || "make".to_owned();
    assert_eq!(
        violations(with_global(from(foreign(make), 0), [])),
        [Violation::UnknownFunction(9)]
    );
    assert_eq!(
        violations(with_global(from(first, 0), [double()])),
        [Violation::InitParameters("double".into())]
    );
    let none = Violation::InitResult {
        function: name(),
        index: 1,
    };
    assert_eq!(violations(with_global(from(first, 1), [make()])), [none]);
    let mut wrong = from(first, 0);
    wrong.ty = ty(DType::I8);
    let expected = Violation::InitType {
        expected: ty(DType::I8),
        found: ty(DType::F32),
    };
    assert_eq!(violations(with_global(wrong, [make()])), [expected]);
}

#[test]
fn initialisers_see_no_globals() {
    let mut module = with([]);
    let g = module.globals.push(Global {
        mutable: true,
        ..global("g", GlobalInit::Uninitialized)
    });
    let access = module.functions.push(access(g, DType::F32));
    let mut indirect = make();
    let call = Call {
        callee: access,
        parameters: Vec::new(),
        results: Vec::new(),
    };
    run(&mut indirect, Op::Call(call), &[], &[]);
    let indirect = module.functions.push(indirect);
    let init = GlobalInit::Function(indirect, 0);
    module.globals.push(global("h", init));
    assert_eq!(violations(module), [Violation::InitAccess("make".into())]);
}

#[test]
fn every_parameter_has_a_name() {
    let mut unnamed = double();
    unnamed.parameter_names.clear();
    let expected = Violation::ParameterNames {
        parameters: 1,
        names: 0,
    };
    assert_eq!(violations(with([unnamed])), [expected]);
}
