//! Random programs of branches, loops, early exits and assignments to variables, globals and parts of them, on the
//! CPU against the same in plain Rust. `IREE_DSL_PROGRAMS` says how many are tried, and `IREE_DSL_PROGRAM_SEED`
//! which. Of a program that is wrong, the smallest that is found to be wrong too is shown.

mod draw;
mod oracle;
mod smaller;
mod straight;
mod syntax;

use crate::{
    device::{self, Call, Expected, HostTensor, MachineModule, Tolerance},
    language::trace_right,
    mutations::number,
    registers, schedule,
};
use draw::Draw;
use iree_abi::CpuLevel;
use libtest_mimic::{Failed, Trial};
use oracle::State;
use std::{
    env,
    fmt::{Display, Formatter},
};
use syntax::Procedure;

/// Programs as builds compile them, and calls of them.
pub(crate) mod built {
    pub(crate) use super::straight::{
        Call, Compiled, Goal, Refusal, Returned, compile, compile_for, outcomes,
    };
}

pub(crate) use straight::serve;

/// How many programs are tried where nothing says so.
const PROGRAMS: u64 = 4;

/// How many procedures a program has.
const PROCEDURES: usize = 3;

const SCALAR: &str = "Tensor<i32>";

pub(crate) fn trials() -> Vec<Trial> {
    let has_python = env::var_os(straight::PYTHON).is_some();
    let oracle = Trial::test("programs/oracle", straight::oracle);
    vec![
        oracle.with_ignored_flag(!has_python),
        Trial::test("programs/control", control),
        Trial::test("programs/straight", straight::straight),
        Trial::test("programs/derived", straight::derived),
        Trial::test("programs/slopes", straight::slopes),
        Trial::test("programs/interpreted", straight::interpreted),
    ]
}

/// Tells each program that is wrong where it is found, since there may be many to try.
fn control() -> Result<(), Failed> {
    let count = number("IREE_DSL_PROGRAMS").unwrap_or(PROGRAMS);
    let first = number("IREE_DSL_PROGRAM_SEED").unwrap_or(0);
    let mut wrong = Vec::new();
    for seed in first..first + count {
        if let Err(failed) = try_program(seed) {
            let message = failed.message().unwrap_or_default();
            eprintln!("program {seed}: {message}");
            wrong.push(seed);
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("wrong programs: {wrong:?}").into()),
    }
}

fn try_program(seed: u64) -> Result<(), Failed> {
    let program = Program::drawn(Draw::new(seed));
    match program.difference()? {
        None => Ok(()),
        Some(difference) => Err(smaller::smallest(program, difference).into()),
    }
}

/// Procedures, and what they are called with.
#[derive(Clone)]
struct Program {
    procedures: Vec<Procedure>,
    inputs: Vec<(Vec<i32>, i32)>,
    /// How many elements all vectors have.
    size: usize,
    /// Whether each procedure is called alone too, by one that returns the globals.
    calls_each: bool,
}

impl Program {
    fn drawn(mut draw: Draw) -> Self {
        Self {
            procedures: (0..PROCEDURES).map(|_| draw.procedure()).collect(),
            inputs: [0, 1, 3].map(|k| (draw.vector_of_numbers(), k)).into(),
            size: draw.size,
            calls_each: true,
        }
    }

    /// What differs from the same in plain Rust, with the program; an error if the program cannot be traced.
    fn difference(&self) -> Result<Option<String>, Failed> {
        let source = self.to_string();
        let lowered = device::lowered(trace_right(&source)?)?;
        let level = CpuLevel::of_this_machine();
        let mut calls = Vec::new();
        let all: Vec<_> = self.procedures.iter().collect();
        for (x, k) in &self.inputs {
            for (number, procedure) in self.called_alone() {
                calls.push(call(&format!("call_{number}"), &[procedure], x, *k));
            }
            calls.push(call("call_all", &all, x, *k));
        }
        let checked = check(&lowered, level, &calls);
        Ok(checked.err().map(|failed| {
            let message = failed.message().unwrap_or_default();
            format!("{message}\n{source}")
        }))
    }

    fn called_alone(&self) -> impl Iterator<Item = (usize, &Procedure)> {
        let procedures = self.procedures.iter().enumerate();
        procedures.filter(|_| self.calls_each)
    }
}

/// Makes calls that wait and calls that do not, and checks where values are kept in between.
fn check(lowered: &str, level: CpuLevel, calls: &[Call]) -> Result<(), Failed> {
    let waiting = MachineModule::of_lowered(lowered, level)?;
    waiting.check_on("local-sync", calls)?;
    registers::check(&waiting)?;
    let queued = MachineModule::queued(lowered, level)?;
    queued.check_on("local-task", calls)?;
    registers::check(&queued)?;
    schedule::check(lowered, level)
}

impl Display for Program {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let vector = format!("Tensor<i32, {}>", self.size);
        let parameters = format!("(&mut self, x: {vector}, k: {SCALAR})");
        let own = format!("{vector}, {vector}, {SCALAR}");
        let all = format!("({own}, {vector}, {vector}, {vector}, {SCALAR})");
        let results = "(u, v, q, self.a, self.b, self.c, self.s)";
        writeln!(
            formatter,
            "mod programs {{ pub struct Programs {{ #[global(init = iota())] a: {vector}, \
             #[global(init = full(10))] b: {vector}, #[global(init = iota() * 7)] c: {vector}, \
             #[global(init = iota() * 5)] d: {vector}, #[global(init = full(3))] e: {vector}, \
             #[global] s: {SCALAR} }} impl Programs {{"
        )?;
        for (number, procedure) in self.procedures.iter().enumerate() {
            writeln!(
                formatter,
                "fn procedure_{number}{parameters} -> ({own}) {{ let mut y = x;\n{procedure} }}"
            )?;
        }
        for (number, _) in self.called_alone() {
            writeln!(
                formatter,
                "pub fn call_{number}{parameters} -> {all} {{\n\
                 let (u, v, q) = self.procedure_{number}(x, k);\n{results} }}"
            )?;
        }
        writeln!(formatter, "pub fn call_all{parameters} -> {all} {{")?;
        for number in 0..self.procedures.len() {
            writeln!(
                formatter,
                "let (u, v, q) = self.procedure_{number}(x, k);\nlet x = u;"
            )?;
        }
        writeln!(formatter, "{results} }}\n}} }}")
    }
}

/// A call of a procedure that runs others one after the other, each with what the one before returned.
fn call(function: &str, procedures: &[&Procedure], x: &[i32], k: i32) -> Call {
    let mut state = State::of(x.len());
    let mut returned = (x.to_vec(), x.to_vec(), 0);
    for procedure in procedures {
        returned = state.call(procedure, &returned.0, k);
    }
    let (u, v, q) = returned;
    let [a, b, c] = ["self.a", "self.b", "self.c"].map(|name| state.vector(name));
    let vector = |label: &str, elements: &[i32]| expected(label, HostTensor::list(elements));
    let scalar = |label: &str, element: i32| expected(label, HostTensor::new(&[], &[element]));
    Call {
        function: function.to_owned(),
        inputs: vec![HostTensor::list(x), HostTensor::new(&[], &[k])],
        expected: vec![
            vector("the result", &u),
            vector("y", &v),
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
