//! The interpreter as a device: what the tests of the compiler ask of one.

#[path = "../../../compiler/tests/suite/device/compare.rs"]
mod compare;
#[path = "../../../compiler/tests/suite/device/contract.rs"]
mod contract;
#[path = "../../../compiler/tests/suite/device/control.rs"]
mod control;
#[path = "../../../compiler/tests/suite/device/convert.rs"]
mod convert;
#[path = "../../../compiler/tests/suite/device/element.rs"]
mod element;
#[path = "../../../compiler/tests/suite/device/elementwise.rs"]
mod elementwise;
#[path = "../../../compiler/tests/suite/device/fourier.rs"]
mod fourier;
#[path = "../../../compiler/tests/suite/device/fuse.rs"]
mod fuse;
#[path = "../../../compiler/tests/suite/device/index.rs"]
mod index;
#[path = "../../../compiler/tests/suite/device/number.rs"]
mod number;
#[path = "../../../compiler/tests/suite/device/order.rs"]
mod order;
#[path = "../../../compiler/tests/suite/device/program.rs"]
mod program;
#[path = "../../../compiler/tests/suite/device/rearrange.rs"]
mod rearrange;
#[path = "../../../compiler/tests/suite/device/reduce.rs"]
mod reduce;
#[path = "../../../compiler/tests/suite/device/shape.rs"]
mod shape;
#[path = "../../../compiler/tests/suite/device/slice.rs"]
mod slice;
#[path = "../../../compiler/tests/suite/device/structure.rs"]
mod structure;
#[path = "../../../compiler/tests/suite/device/window.rs"]
mod window;

use iree_abi::{CpuLevel, DType};
use iree_dsl_interpreter::{Interpreter, Tensor};
use iree_dsl_ir::{Module, Verified, text, verify};
use libtest_mimic::{Failed, Trial};
use ndarray::ArrayD;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) use element::HostTensor;
pub(crate) use program::{Call, Expected, Tolerance};

type Group = (&'static str, fn() -> program::Program);

const GROUPS: &[Group] = &[
    ("contract", contract::program),
    ("control", control::program),
    ("convert", convert::program),
    ("elementwise", elementwise::program),
    ("fourier", fourier::program),
    ("fuse", fuse::program),
    ("index", index::program),
    ("order", order::program),
    ("rearrange", rearrange::program),
    ("reduce", reduce::program),
    ("shape", shape::program),
    ("slice", slice::program),
    ("structure", structure::program),
    ("window", window::program),
];

/// One test for each group.
pub(crate) fn trials() -> Vec<Trial> {
    let groups = GROUPS.iter();
    groups
        .map(|(name, program)| Trial::test(format!("device/{name}"), move || check(&program())))
        .collect()
}

fn check(program: &program::Program) -> Result<(), Failed> {
    check_on_all_devices(text::parse(&program.text())?, &program.calls)
}

/// Makes calls of a module and compares the results.
pub(crate) fn check_calls(module: Module, calls: &[Call], _: CpuLevel) -> Result<(), Failed> {
    check_on_all_devices(module, calls)
}

/// The same.
pub(crate) fn check_on_all_devices(module: Module, calls: &[Call]) -> Result<(), Failed> {
    let verified = verified(module)?;
    let mut failures = Vec::new();
    for call in calls {
        match make(&verified, call) {
            Ok(results) => failures.extend(differences(call, &results)),
            Err(failure) => failures.push(failure),
        }
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(failures.join("\n").into()),
    }
}

/// The bytes of the results of a call, or why there are none.
type Returned = Result<Vec<Vec<u8>>, String>;

/// The bytes of the results of each call, or why there are none.
pub(crate) fn results(module: Module, calls: &[Call]) -> Result<Vec<Returned>, Failed> {
    let verified = verified(module)?;
    let bytes = |results: Vec<Tensor>| results.iter().map(Tensor::to_bytes).collect();
    let made = calls.iter().map(|call| make(&verified, call).map(bytes));
    Ok(made.collect())
}

/// The one result of each call.
pub(crate) fn arrays(
    module: Module,
    calls: &[Call],
) -> Result<Vec<Result<ArrayD<i32>, String>>, Failed> {
    let verified = verified(module)?;
    let array = |results: Vec<Tensor>| {
        let array = results.first().and_then(Tensor::array::<i32>);
        array
            .map(|array| array.to_owned())
            .ok_or("no `i32`".to_owned())
    };
    let made = calls
        .iter()
        .map(|call| make(&verified, call).and_then(array));
    Ok(made.collect())
}

pub(crate) fn verified(module: Module) -> Result<Verified, Failed> {
    verify(module).map_err(|errors| {
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        errors.join("\n").into()
    })
}

/// Makes a call of the module, loaded anew.
fn make(verified: &Verified, call: &Call) -> Result<Vec<Tensor>, String> {
    let of_call = |error: &dyn std::error::Error| format!("{}: {error}", call.function);
    let program = Interpreter::new(verified.clone());
    let mut program = program.map_err(|error| of_call(&error))?;
    let inputs = call.inputs.iter();
    let inputs = inputs.map(|input| Tensor::from_bytes(&input.ty, &input.bytes));
    let inputs: Vec<_> = inputs
        .collect::<Result<_, _>>()
        .map_err(|error| of_call(&error))?;
    let results = program.call(&call.function, &inputs);
    results.map_err(|error| of_call(&error))
}

/// How many results were compared.
pub(crate) static COMPARED: AtomicUsize = AtomicUsize::new(0);

/// What differs between two tensors, if it is more than so many units in the last place of numbers of at least a size.
pub(crate) fn compare(expected: &Tensor, found: &Tensor, units: f64, least: f64) -> Option<String> {
    COMPARED.fetch_add(1, Ordering::Relaxed);
    if expected.ty() != found.ty() {
        return Some(format!(
            "expected `{}`, found `{}`",
            expected.ty(),
            found.ty()
        ));
    }
    let (expected, tolerance) = (expected.to_bytes(), Tolerance { units, least });
    compare::difference(found.dtype(), &expected, &found.to_bytes(), tolerance)
}

/// Whether a result is made of many products that were rounded one by one, which the interpreter rounds once.
fn has_rounded_products(expected: &Expected) -> bool {
    expected.tensor.ty.dtype == DType::C64 && expected.label.starts_with("cumulate_product")
}

fn differences(call: &Call, results: &[Tensor]) -> Vec<String> {
    let mut failures = Vec::new();
    if call.expected.len() != results.len() {
        failures.push(format!("{}: {} results", call.function, results.len()));
    }
    for (expected, found) in call.expected.iter().zip(results) {
        let mut tolerance = expected.tolerance;
        if has_rounded_products(expected) {
            tolerance.units = 4.0;
        }
        let (function, label) = (&call.function, &expected.label);
        let HostTensor { ty, bytes } = &expected.tensor;
        COMPARED.fetch_add(1, Ordering::Relaxed);
        // Some tests say no more than the elements; the interpreter compares types by itself.
        let found = found.to_bytes();
        let difference = compare::difference(ty.dtype, bytes, &found, tolerance);
        failures.extend(
            difference.map(|difference| format!("{function}: {label}: {ty}: {difference}")),
        );
    }
    failures
}
