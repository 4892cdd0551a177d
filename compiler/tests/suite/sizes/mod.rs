//! Every operation on tensors with a size that is known at the call only, compared with the same operation
//! on sizes that are known while building. What needs to know a size says so.

mod cases;
mod computed;
mod long;
mod parameters;
mod uses;

use crate::{
    device::{Call, Expected, HostTensor, Tolerance, check_calls, results},
    language::{trace, trace_right},
};
use cases::{CASES, Case, ELSEWHERE, REFUSED, Refused};
use iree_abi::{CpuLevel, TensorType};
use iree_dsl_compiler::trace::OPERATIONS;
use libtest_mimic::{Failed, Trial};
use parameters::{PARAMETERS, Parameter};
use std::collections::BTreeSet;
use uses::USES;

/// The size that is known at the call only.
const SIZE: usize = 5;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("sizes/every_operation", every_operation_has_a_case),
        Trial::test("sizes/refused", refused),
        Trial::test("sizes/computed", computed::computed),
    ];
    trials.extend(
        CASES
            .iter()
            .chain(USES)
            .map(|(group, cases)| Trial::test(format!("sizes/{group}"), move || compare(cases))),
    );
    trials.extend(long::trials());
    trials
}

fn every_operation_has_a_case() -> Result<(), Failed> {
    let cases = CASES.iter().flat_map(|(_, cases)| cases.iter());
    let tested = cases.map(|(name, ..)| *name);
    let tested: BTreeSet<_> = tested
        .chain(REFUSED.iter().map(|refused| refused.operation))
        .chain(ELSEWHERE.iter().copied())
        .collect();
    let all: BTreeSet<_> = OPERATIONS.iter().map(|operation| operation.name).collect();
    let missing: Vec<_> = all.difference(&tested).collect();
    let unknown: Vec<_> = tested.difference(&all).collect();
    match missing.is_empty() && unknown.is_empty() {
        true => Ok(()),
        false => Err(format!("without a case: {missing:?}; no operation: {unknown:?}").into()),
    }
}

/// The cases with the size as a constant, and as a parameter of each procedure.
fn compare(cases: &[Case]) -> Result<(), Failed> {
    let known = trace_right(&program(cases, &format!("const N: usize = {SIZE};"), ""))?;
    let unknown = trace_right(&program(cases, "", "<const N: usize>"))?;
    let expected_types = |function: usize| {
        let name = format!("case_{function}");
        let mut functions = known.functions.iter();
        let found = functions.find(|(_, function)| function.name == name);
        let (_, function) = found.expect("each case is a function");
        function
            .types(&function.body.results)
            .expect("results have types")
    };
    let mut calls: Vec<_> = (0..)
        .zip(cases)
        .map(|(number, case)| call(number, case, expected_types(number)))
        .collect();
    let found = results(known, &calls)?;
    for (call, results) in calls.iter_mut().zip(found) {
        for (expected, bytes) in call.expected.iter_mut().zip(results?) {
            expected.tensor.bytes = bytes;
        }
    }
    check_calls(unknown, &calls, CpuLevel::of_this_machine())
}

/// A program with a procedure for each case, on lines of its own.
fn program(cases: &[Case], item: &str, generics: &str) -> String {
    let procedures = (0..).zip(cases).map(|(number, case)| {
        let (_, expression, result) = case;
        let parameters =
            parameters(expression).map(|(name, ty, _)| format!("{name}: Tensor<{ty}>"));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        format!(
            "pub fn case_{number}{generics}(&self, {parameters}) -> {result} {{ {expression} }}\n"
        )
    });
    let procedures: String = procedures.collect();
    format!("mod sizes {{ {item} pub struct Sizes; impl Sizes {{\n{procedures}}} }}")
}

/// The parameters that an expression mentions.
fn parameters(expression: &str) -> impl Iterator<Item = &'static Parameter> + '_ {
    let words = |letter: char| !letter.is_alphanumeric() && letter != '_';
    PARAMETERS
        .iter()
        .filter(move |(name, ..)| expression.split(words).any(|word| word == *name))
}

/// A call, whose results are yet to be known. Sums may be added up in another order.
fn call(number: usize, (_, expression, _): &Case, types: Vec<TensorType>) -> Call {
    let expected = types.into_iter().map(|ty| Expected {
        label: (*expression).to_owned(),
        tolerance: Tolerance {
            units: 8.0,
            least: 1.0,
        },
        tensor: HostTensor {
            ty,
            bytes: Vec::new(),
        },
    });
    Call {
        function: format!("case_{number}"),
        inputs: parameters(expression)
            .map(|(_, _, input)| input(SIZE))
            .collect(),
        expected: expected.collect(),
    }
}

/// Each mistake is said once, where it is made.
fn refused() -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for refused in REFUSED {
        let Refused {
            operation,
            expression,
            result,
            message,
        } = *refused;
        let case = [(operation, expression, result)];
        let mistakes = trace(&program(&case, "", "<const N: usize>"))?
            .err()
            .unwrap_or_default();
        match mistakes.as_slice() {
            [mistake] if mistake.line == 2 && mistake.message.contains(message) => {}
            _ => wrong.push(format!("{expression}: {mistakes:?}")),
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n").into()),
    }
}
