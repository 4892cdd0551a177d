//! Compares what procedures return with what they should.

use super::{
    array::{Array, elements_of},
    execute::{Call, Compiled, Goal, Outcome, Refusal, compile_for},
    interpret::outcomes,
    procedure::{Case, Procedure},
    values::{Value, distance},
};
use crate::language::trace_right;
use iree_abi::CpuLevel;
use iree_dsl_compiler::legalize::Passes;
use iree_dsl_ir::{Verified, verify};
use libtest_mimic::Failed;
use std::{slice, sync::Arc};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// The language refuses it.
    NotTraced,
    /// The IREE compiler refuses it.
    Refused,
    /// A call does not return.
    Stopped,
    Wrong,
}

/// What is wrong with a procedure.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) kind: Kind,
    pub(super) message: String,
}

/// What is asked of procedures.
pub(super) trait Question {
    /// Whether it can be asked of a procedure.
    fn is_for(&self, procedure: &Procedure) -> bool;

    /// The text of a procedure that answers it, with a name.
    fn text(&self, procedure: &Procedure, name: &str) -> String;

    /// What that returns; `None` where it is not defined, or says nothing of the compiler.
    fn results(&self, procedure: &Procedure, case: &Case) -> Option<Vec<Value>>;
}

/// What a procedure returns.
#[derive(Debug)]
pub(super) struct Results;

impl Question for Results {
    fn is_for(&self, _: &Procedure) -> bool {
        true
    }

    fn text(&self, procedure: &Procedure, name: &str) -> String {
        procedure.text(name)
    }

    fn results(&self, procedure: &Procedure, case: &Case) -> Option<Vec<Value>> {
        let values = procedure.values(case)?;
        let results = procedure.results.iter();
        Some(results.map(|value| values[*value].clone()).collect())
    }
}

/// The failures of procedures, which are in one module as far as they are accepted. What is compiled for more than this
/// machine has is compiled once more to be called.
pub(super) fn judge(
    question: &dyn Question,
    procedures: &[Procedure],
    goal: Goal,
) -> Result<Vec<Option<Failure>>, Failed> {
    let all: Vec<_> = procedures.iter().collect();
    let here = Goal {
        level: goal.level.min(CpuLevel::of_this_machine()),
        ..goal
    };
    match compile_for(&source(question, &all), goal, Passes::default()) {
        Ok(_) if here.level < goal.level => judge(question, procedures, here),
        Ok(compiled) => compare(question, &compiled, procedures, goal),
        Err(refusal) if procedures.len() == 1 => {
            let (kind, message) = match refusal {
                Refusal::Language(message) => (Kind::NotTraced, message),
                Refusal::Compiler(message) => (Kind::Refused, message),
            };
            Ok(vec![Some(Failure { kind, message })])
        }
        Err(_) => {
            let (one, other) = procedures.split_at(procedures.len() / 2);
            let judge = |procedures| judge(question, procedures, goal);
            Ok([judge(one)?, judge(other)?].concat())
        }
    }
}

pub(super) fn source(question: &dyn Question, procedures: &[&Procedure]) -> String {
    let procedures = procedures.iter().enumerate();
    let text =
        |(number, procedure): (usize, &&Procedure)| question.text(procedure, &format!("f{number}"));
    module(&procedures.map(text).collect::<String>())
}

/// A module of the text of procedures.
pub(super) fn module(procedures: &str) -> String {
    format!("mod p {{\npub struct P {{ }}\nimpl P {{\n{procedures}}}\n}}\n")
}

/// What the interpreter runs of the text of a module.
pub(super) fn verified(source: &str) -> Result<Arc<Verified>, Failure> {
    let refused = |message| Failure {
        kind: Kind::NotTraced,
        message,
    };
    let module = trace_right(source)
        .map_err(|failed| refused(failed.message().unwrap_or_default().to_owned()))?;
    let verified = verify(module).map_err(|errors| refused(format!("{errors:?}")))?;
    Ok(Arc::new(verified))
}

/// A call, and what it should return.
struct Expected {
    procedure: usize,
    call: Call,
    inputs: Vec<Vec<u8>>,
    results: Vec<Value>,
    sizes: [usize; 2],
}

fn compare(
    question: &dyn Question,
    compiled: &Compiled,
    procedures: &[Procedure],
    goal: Goal,
) -> Result<Vec<Option<Failure>>, Failed> {
    let expected: Vec<_> = procedures
        .iter()
        .enumerate()
        .flat_map(|(number, procedure)| calls(question, number, procedure))
        .collect();
    let calls: Vec<_> = expected.iter().map(|one| one.call.clone()).collect();
    let inputs: Vec<_> = expected.iter().map(|one| one.inputs.clone()).collect();
    // What is wrong on the interpreter too is wrong before it is lowered.
    let mut rounds = vec![outcomes(&compiled.program, &calls, &inputs)];
    rounds.extend(compiled.call(&calls, &inputs)?);
    let mut failures = vec![None; procedures.len()];
    for (round, outcomes) in rounds.iter().enumerate() {
        for (expected, outcome) in expected.iter().zip(outcomes) {
            let failure = &mut failures[expected.procedure];
            if failure.is_none() {
                *failure = failure_of(expected, outcome, round);
            }
        }
    }
    // A crash is that of one of them only.
    let has_stopped = |failure: &Option<Failure>| {
        matches!(
            failure,
            Some(Failure {
                kind: Kind::Stopped,
                ..
            })
        )
    };
    if procedures.len() > 1 && failures.iter().any(has_stopped) {
        let alone = procedures
            .iter()
            .map(|procedure| judge(question, slice::from_ref(procedure), goal));
        let alone: Vec<_> = alone.collect::<Result<_, _>>()?;
        return Ok(alone.concat());
    }
    Ok(failures)
}

/// The failure of a procedure on the interpreter alone.
pub(super) fn interpret(procedure: &Procedure) -> Option<Failure> {
    let program = match verified(&source(&Results, &[procedure])) {
        Ok(program) => program,
        Err(failure) => return Some(failure),
    };
    let expected = calls(&Results, 0, procedure);
    let mut cases = expected.iter();
    cases.find_map(|one| {
        let (calls, inputs) = (slice::from_ref(&one.call), slice::from_ref(&one.inputs));
        let outcomes = outcomes(&program, calls, inputs);
        failure_of(one, outcomes.first()?, INTERPRETER)
    })
}

/// The first round; those of devices follow.
const INTERPRETER: usize = 0;

fn calls(question: &dyn Question, number: usize, procedure: &Procedure) -> Vec<Expected> {
    let calls = procedure.cases.iter().filter_map(|case| {
        let results = question.results(procedure, case)?;
        let dtypes = results.iter().map(|value| value.exact().dtype);
        Some(Expected {
            procedure: number,
            call: Call {
                function: format!("f{number}"),
                inputs: case.inputs.iter().map(Array::described).collect(),
                results: dtypes.map(|dtype| dtype.name().to_owned()).collect(),
            },
            inputs: case.inputs.iter().map(Array::bytes).collect(),
            results,
            sizes: case.sizes,
        })
    });
    calls.collect()
}

fn failure_of(expected: &Expected, outcome: &Outcome, round: usize) -> Option<Failure> {
    let [n, m] = expected.sizes;
    let place = match round {
        INTERPRETER => "the interpreter".to_owned(),
        _ => format!("round {round}"),
    };
    let place = format!("N = {n}, M = {m}, {place}");
    let (kind, message) = match outcome {
        Err(message) => (Kind::Stopped, message.clone()),
        Ok(results) => {
            let mut results = expected.results.iter().zip(results).enumerate();
            let message = results.find_map(|(number, (value, (shape, bytes)))| {
                let difference = difference(value, shape, bytes)?;
                Some(format!("result {number}: {difference}"))
            })?;
            (Kind::Wrong, message)
        }
    };
    let message = format!("{place}: {message}");
    Some(Failure { kind, message })
}

fn difference(value: &Value, shape: &[usize], bytes: &[u8]) -> Option<String> {
    let exact = value.exact();
    if exact.shape != shape {
        return Some(format!(
            "expected the shape {:?}, found {shape:?}",
            exact.shape
        ));
    }
    let found = elements_of(exact.dtype, bytes);
    let elements = exact.elements.iter().zip(&found).zip(value.tolerances());
    let wrong = elements
        .enumerate()
        .filter(|(_, ((expected, found), tolerance))| {
            let distance = distance(**expected, **found);
            // Not a number differs from everything.
            distance.is_nan() || distance > *tolerance
        });
    let wrong: Vec<_> = wrong
        .map(|(place, ((expected, found), tolerance))| {
            format!("[{place}] expected {expected:?}, found {found:?} (allowed {tolerance:e})")
        })
        .collect();
    let shown = wrong.iter().take(4).cloned().collect::<Vec<_>>().join("; ");
    let (count, all) = (wrong.len(), found.len());
    (count > 0).then(|| {
        format!(
            "{} {:?}: {count} of {all} differ: {shown}",
            exact.dtype.name(),
            exact.shape
        )
    })
}
