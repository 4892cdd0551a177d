//! Random procedures over all element types, shapes and sizes that are known at the call only, against plain Rust. As many
//! are tried as `IREE_DSL_PROGRAMS` says, from the seed `IREE_DSL_PROGRAM_SEED` on.

#[allow(dead_code, reason = "these tests need less of it")]
#[path = "../../../../compiler/tests/suite/programs/straight/array.rs"]
mod array;
#[path = "../../../../compiler/tests/suite/programs/straight/draw/mod.rs"]
mod draw;
#[path = "../../../../compiler/tests/suite/programs/straight/fold.rs"]
mod fold;
#[allow(dead_code, reason = "these tests need less of it")]
#[path = "../../../../compiler/tests/suite/programs/straight/function.rs"]
mod function;
#[path = "../../../../compiler/tests/suite/programs/straight/oracle.rs"]
mod oracle;
#[path = "../../../../compiler/tests/suite/programs/straight/places.rs"]
mod places;
#[allow(dead_code, reason = "these tests need less of it")]
#[path = "../../../../compiler/tests/suite/programs/straight/procedure.rs"]
mod procedure;
#[path = "../../../../compiler/tests/suite/programs/straight/size.rs"]
mod size;
#[path = "../../../../compiler/tests/suite/programs/straight/step.rs"]
mod step;
#[allow(dead_code, reason = "these tests need less of it")]
#[path = "../../../../compiler/tests/suite/programs/straight/values.rs"]
mod values;

use crate::{
    device::{COMPARED, verified},
    language::trace_right,
};
use array::{Array, elements_of};
use draw::Draw;
use iree_abi::TensorType;
use iree_dsl_interpreter::{Interpreter, Tensor};
use iree_dsl_ir::Verified;
use libtest_mimic::{Failed, Trial};
use procedure::{Case, Procedure};
use std::{env, sync::atomic::Ordering};
use values::{Value, distance};

/// How many procedures are tried where nothing says so.
const PROCEDURES: u64 = 100;

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("programs/straight", straight)]
}

fn straight() -> Result<(), Failed> {
    let count = number("IREE_DSL_PROGRAMS").unwrap_or(PROCEDURES);
    let first = number("IREE_DSL_PROGRAM_SEED").unwrap_or(0);
    let mut wrong = Vec::new();
    for seed in first..first + count {
        let procedure = Draw::procedure(seed);
        if let Err(failed) = try_procedure(&procedure) {
            let message = failed.message().unwrap_or_default();
            wrong.push(format!("seed {seed}: {message}\n{}", source(&procedure)));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n").into()),
    }
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

fn source(procedure: &Procedure) -> String {
    let text = procedure.text("f");
    format!("mod p {{ pub struct P; impl P {{\n{text}}} }}")
}

fn try_procedure(procedure: &Procedure) -> Result<(), Failed> {
    let verified = verified(trace_right(&source(procedure))?)?;
    for case in &procedure.cases {
        // What is not defined says nothing.
        if let Some(values) = procedure.values(case) {
            let results = procedure.results.iter().map(|value| &values[*value]);
            try_case(&verified, case, &results.collect::<Vec<_>>())?;
        }
    }
    Ok(())
}

fn try_case(verified: &Verified, case: &Case, expected: &[&Value]) -> Result<(), Failed> {
    let inputs = case.inputs.iter().map(|input: &Array| {
        let ty = TensorType::new(input.dtype, input.shape.as_slice());
        Tensor::from_bytes(&ty, &input.bytes())
    });
    let inputs: Vec<_> = inputs.collect::<Result<_, _>>()?;
    let results = Interpreter::new(verified.clone())?.call("f", &inputs)?;
    for (number, (expected, found)) in expected.iter().zip(&results).enumerate() {
        COMPARED.fetch_add(1, Ordering::Relaxed);
        if let Some(difference) = difference(expected, found) {
            let sizes = case.sizes;
            return Err(format!("{sizes:?}: result {number}: {difference}").into());
        }
    }
    Ok(())
}

fn difference(value: &Value, found: &Tensor) -> Option<String> {
    let exact = value.exact();
    if exact.shape != found.shape() {
        return Some(format!(
            "the shape {:?}, not {:?}",
            found.shape(),
            exact.shape
        ));
    }
    let elements = elements_of(exact.dtype, &found.to_bytes());
    let pairs = exact.elements.iter().zip(&elements).zip(value.tolerances());
    let mut wrong = pairs.filter(|((expected, found), tolerance)| {
        let distance = distance(**expected, **found);
        distance.is_nan() || distance > *tolerance
    });
    let ((expected, found), tolerance) = wrong.next()?;
    Some(format!(
        "{}: expected {expected:?}, found {found:?} (allowed {tolerance:e})",
        exact.dtype
    ))
}
