//! Tensors of random shapes, rearranged and compared with `ndarray`: their elements, and the shapes that IREE
//! returns, which are those that `infer` says. Each program is run with sizes that are known while building,
//! and with some that are known at the call only. Many of them are compiled at once.

mod operation;

use crate::{
    device::{Call, HostTensor, arrays},
    language::trace_right,
};
use iree_abi::TensorType;
use libtest_mimic::{Failed, Trial};
use ndarray::ArrayD;
use operation::{Case, case};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};

/// How many programs are compiled at once.
const CASES: usize = 80;

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("random/rearranged", rearranged)]
}

fn rearranged() -> Result<(), Failed> {
    let mut runner = TestRunner::deterministic();
    let cases: Vec<Case> = (0..CASES)
        .map(|_| Ok(case().new_tree(&mut runner)?.current()))
        .collect::<Result<_, proptest::test_runner::Reason>>()
        .map_err(|reason| reason.to_string())?;
    let procedures: String = (0..)
        .zip(&cases)
        .map(|(number, case)| procedures(number, case))
        .collect();
    let source = format!("mod random {{ pub struct Random; impl Random {{\n{procedures}}} }}");
    let module = trace_right(&source)?;
    let calls: Vec<_> = (0..)
        .zip(&cases)
        .flat_map(|(number, case)| ["known", "unknown"].map(|kind| call(number, kind, case)))
        .collect();
    let results = arrays(module, &calls)?;
    let expected = cases.iter().flat_map(|case| [case, case]);
    let wrong: Vec<_> = results
        .into_iter()
        .zip(expected)
        .filter_map(|(found, case)| difference(case, found))
        .collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n").into()),
    }
}

/// A procedure for sizes that are known, and one for sizes of which some are not.
fn procedures(number: usize, case: &Case) -> String {
    let shape = case.input.shape();
    let known: String = shape.iter().map(|size| format!(", {size}")).collect();
    let result: String = case
        .expected
        .shape()
        .iter()
        .map(|size| format!(", {size}"))
        .collect();
    let some = shape
        .iter()
        .enumerate()
        .map(|(axis, size)| match case.unknown[axis] {
            true => format!(", D{axis}"),
            false => format!(", {size}"),
        });
    let some: String = some.collect();
    let names = (0..shape.len()).filter(|axis| case.unknown[*axis]);
    let names: Vec<_> = names.map(|axis| format!("const D{axis}: usize")).collect();
    let names = names.join(", ");
    let any = ", _".repeat(case.expected.ndim());
    let expression = &case.expression;
    format!(
        "pub fn known_{number}(&self, x: Tensor<i32{known}>) -> Tensor<i32{result}> {{ {expression} }}\n\
         pub fn unknown_{number}<{names}>(&self, x: Tensor<i32{some}>) -> Tensor<i32{any}> {{ {expression} }}\n"
    )
}

fn call(number: usize, kind: &str, case: &Case) -> Call {
    let elements: Vec<_> = case.input.iter().copied().collect();
    Call {
        function: format!("{kind}_{number}"),
        inputs: vec![HostTensor::new(case.input.shape(), &elements)],
        expected: Vec::new(),
    }
}

fn difference(case: &Case, found: Result<ArrayD<i32>, String>) -> Option<String> {
    let ty = TensorType::new(iree_abi::DType::I32, case.input.shape());
    let told = format!("{} for {ty}", case.expression);
    match found {
        Ok(found) if found == case.expected => None,
        Ok(found) => Some(format!("{told}: expected {}, found {found}", case.expected)),
        Err(error) => Some(format!("{told}: {error}")),
    }
}
