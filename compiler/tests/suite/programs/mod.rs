//! Random programs of branches, loops, early exits and assignments to variables, globals and parts of them, on the
//! CPU against the same in plain Rust. `IREE_DSL_PROGRAMS` says how many are tried, and `IREE_DSL_PROGRAM_SEED`
//! which.

mod draw;
mod oracle;
mod syntax;

use crate::{
    device::{Call, Expected, HostTensor, Tolerance, check_calls},
    language::trace_right,
    mutations::number,
};
use draw::Draw;
use iree_abi::CpuLevel;
use libtest_mimic::{Failed, Trial};
use oracle::State;
use std::fmt::Write as _;
use syntax::Procedure;

/// How many programs are tried where nothing says so.
const PROGRAMS: u64 = 4;

/// How many procedures a program has.
const PROCEDURES: usize = 3;

const VECTOR: &str = "Tensor<i32, 4>";
const SCALAR: &str = "Tensor<i32>";

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("programs/control", control)]
}

/// Tells all programs that differ, each with its seed.
fn control() -> Result<(), Failed> {
    let count = number("IREE_DSL_PROGRAMS").unwrap_or(PROGRAMS);
    let first = number("IREE_DSL_PROGRAM_SEED").unwrap_or(0);
    let mut wrong = String::new();
    for seed in first..first + count {
        if let Err(failed) = try_program(seed) {
            let message = failed.message().unwrap_or_default();
            writeln!(wrong, "program {seed}: {message}")?;
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.into()),
    }
}

fn try_program(seed: u64) -> Result<(), Failed> {
    let mut draw = Draw::new(seed);
    let procedures: Vec<_> = (0..PROCEDURES).map(|_| draw.procedure()).collect();
    let source = source(&procedures);
    let module = trace_right(&source)?;
    let mut calls = Vec::new();
    for k in [0, 1, 3] {
        let x = draw.vector_of_numbers();
        for (number, procedure) in procedures.iter().enumerate() {
            calls.push(call(&format!("call_{number}"), &[procedure], x, k));
        }
        let all: Vec<_> = procedures.iter().collect();
        calls.push(call("call_all", &all, x, k));
    }
    let checked = check_calls(module, &calls, CpuLevel::of_this_machine());
    checked.map_err(|failed| {
        let message = failed.message().unwrap_or_default();
        format!("{message}\n{source}").into()
    })
}

/// The program: each procedure is called by one that returns the globals too, and all of them one after the
/// other by another.
fn source(procedures: &[Procedure]) -> String {
    let globals = "#[global(init = iota())] a: Tensor<i32, 4>, #[global(init = full(10))] b: Tensor<i32, 4>, \
                   #[global(init = iota() * 7)] c: Tensor<i32, 4>, #[global] s: Tensor<i32>";
    let parameters = format!("(&mut self, x: {VECTOR}, k: {SCALAR})");
    let own = format!("{VECTOR}, {VECTOR}, {SCALAR}");
    let all = format!("({own}, {VECTOR}, {VECTOR}, {VECTOR}, {SCALAR})");
    let mut functions = String::new();
    for (number, procedure) in procedures.iter().enumerate() {
        functions += &format!(
            "fn procedure_{number}{parameters} -> ({own}) {{ let mut y = x;\n{procedure} }}\n\
             pub fn call_{number}{parameters} -> {all} {{\n\
             let (u, v, q) = self.procedure_{number}(x, k);\n\
             (u, v, q, self.a, self.b, self.c, self.s) }}\n"
        );
    }
    let steps = (0..procedures.len())
        .map(|number| format!("let (u, v, q) = self.procedure_{number}(x, k);\nlet x = u;\n"));
    let steps: String = steps.collect();
    functions += &format!(
        "pub fn call_all{parameters} -> {all} {{\n{steps}(u, v, q, self.a, self.b, self.c, self.s) }}\n"
    );
    format!(
        "mod programs {{ pub struct Programs {{ {globals} }} impl Programs {{\n{functions}}} }}"
    )
}

/// A call of a procedure that runs others one after the other, each with what the one before returned.
fn call(function: &str, procedures: &[&Procedure], x: [i32; 4], k: i32) -> Call {
    let mut state = State::default();
    let (mut argument, mut returned) = (x, (x, x, 0));
    for procedure in procedures {
        returned = state.call(procedure, argument, k);
        argument = returned.0;
    }
    let (u, v, q) = returned;
    let [a, b, c] = ["self.a", "self.b", "self.c"].map(|name| state.vector(name));
    let vector = |label: &str, elements: [i32; 4]| expected(label, HostTensor::list(&elements));
    let scalar = |label: &str, element: i32| expected(label, HostTensor::new(&[], &[element]));
    Call {
        function: function.to_owned(),
        inputs: vec![HostTensor::list(&x), HostTensor::new(&[], &[k])],
        expected: vec![
            vector("the result", u),
            vector("y", v),
            scalar("s + k", q),
            vector("a", a),
            vector("b", b),
            vector("c", c),
            scalar("s", state.scalar("self.s")),
        ],
    }
}

fn expected(label: &str, tensor: HostTensor) -> Expected {
    let exact = Tolerance {
        units: 0.0,
        least: 0.0,
    };
    Expected {
        label: label.to_owned(),
        tensor,
        tolerance: exact,
    }
}
