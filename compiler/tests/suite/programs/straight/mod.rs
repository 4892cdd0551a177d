//! Random procedures without branches and loops, over all element types, shapes and sizes that are known at the call
//! only, built as users' programs are and called on the interpreter and by the runtime on each device, against plain Rust. `IREE_DSL_PROGRAMS`
//! says how many are tried, and `IREE_DSL_PROGRAM_SEED` which. Of a procedure that is wrong or refused, the smallest
//! that is found to be so too is shown. If `IREE_DSL_ORACLE_PYTHON` names a Python with NumPy, that is compared with the
//! plain Rust.

mod array;
mod derivatives;
mod draw;
mod execute;
mod fold;
mod function;
mod interpret;
mod judge;
mod numpy;
mod oracle;
mod places;
mod procedure;
mod size;
mod smaller;
mod step;
mod values;

use crate::mutations::number;
use derivatives::Derivatives;
use draw::Draw;
use iree_abi::CpuLevel;
use iree_dsl_compiler::ast::Preset;
use judge::{Failure, Kind, Question, Results, judge};
use libtest_mimic::Failed;
use procedure::Procedure;

pub(crate) use execute::{Call, Compiled, Goal, Refusal, Returned, compile, compile_for, serve};
pub(crate) use interpret::outcomes;
pub(super) use numpy::PYTHON;

/// How many procedures are tried where nothing says so.
const PROCEDURES: u64 = 40;

/// How many procedures are derived where nothing says so.
const DERIVED: u64 = 16;

/// How many procedures the interpreter tries alone where nothing says so.
const INTERPRETED: u64 = 100;

/// How many procedures are in a module.
const IN_A_MODULE: u64 = 8;

pub(super) fn straight() -> Result<(), Failed> {
    try_all("programs/straight", &Results, PROCEDURES)
}

/// The same of the derivatives of procedures.
pub(super) fn derived() -> Result<(), Failed> {
    let derivatives = Derivatives::default();
    let outcome = try_all("programs/derived", &derivatives, DERIVED);
    let [told, all] = derivatives.told();
    eprintln!("programs/derived: {told} of {all} results are known well enough to be compared");
    outcome?;
    match told {
        0 => Err("no result says something".into()),
        _ => Ok(()),
    }
}

/// Tells each procedure that fails where it is found, since there may be many to try.
fn try_all(name: &str, question: &dyn Question, otherwise: u64) -> Result<(), Failed> {
    let count = number("IREE_DSL_PROGRAMS").unwrap_or(otherwise);
    let first = number("IREE_DSL_PROGRAM_SEED").unwrap_or(0);
    let end = first + count;
    eprintln!("{name}: the seeds {first} to {}", end - 1);
    let mut failed = Vec::new();
    let seeds: Vec<_> = (first..end).collect();
    for seeds in seeds.chunk_by(|one, other| module_of(*one) == module_of(*other)) {
        failed.extend(try_seeds(question, seeds, goal_of(seeds[0]))?);
    }
    listed(&failed)
}

fn listed(failed: &[(u64, Kind)]) -> Result<(), Failed> {
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("procedures that fail, by their seeds: {failed:?}").into()),
    }
}

/// Compares the interpreter with the oracle, which takes a moment for many procedures, since none is compiled.
pub(super) fn interpreted() -> Result<(), Failed> {
    interpret_all(&Results, judge::interpret)
}

/// Compares derivatives on the interpreter with differences, likewise.
pub(super) fn slopes() -> Result<(), Failed> {
    interpret_all(&Derivatives::default(), derivatives::off_differences)
}

fn interpret_all(
    question: &dyn Question,
    fails: fn(&Procedure) -> Option<Failure>,
) -> Result<(), Failed> {
    let count = number("IREE_DSL_PROGRAMS").unwrap_or(INTERPRETED);
    let first = number("IREE_DSL_PROGRAM_SEED").unwrap_or(0);
    let mut failed = Vec::new();
    for seed in first..first + count {
        let procedure = Draw::procedure(seed);
        let is_for = question.is_for(&procedure);
        if let Some(failure) = is_for.then(|| fails(&procedure)).flatten() {
            eprintln!("{}", told(question, seed, &procedure, &failure));
            failed.push((seed, failure.kind));
        }
    }
    listed(&failed)
}

/// Compares the oracle with NumPy, which takes a moment for many procedures, since none is compiled.
pub(super) fn oracle() -> Result<(), Failed> {
    let count = number("IREE_DSL_PROGRAMS").unwrap_or(PROCEDURES);
    let first = number("IREE_DSL_PROGRAM_SEED").unwrap_or(0);
    let procedures: Vec<_> = (first..first + count).map(Draw::procedure).collect();
    numpy::check(&procedures)
}

/// The number of the module that a seed belongs to.
fn module_of(seed: u64) -> usize {
    (seed / IN_A_MODULE) as usize
}

/// What the module of a seed is compiled for: every other one is for this machine, the rest for each level that releases
/// have, in turn; every fifth is to be small, and of every third all factors are packed, as those of larger programs are.
fn goal_of(seed: u64) -> Goal {
    let levels = CpuLevel::of_architecture(std::env::consts::ARCH);
    let module = module_of(seed);
    Goal {
        level: match module % 2 {
            0 => CpuLevel::of_this_machine(),
            _ => levels[module / 2 % levels.len()],
        },
        preset: match module % 5 {
            0 => Preset::Size,
            _ => Preset::Speed,
        },
        packs: module.is_multiple_of(3),
    }
}

/// The seeds of those that fail, and how.
fn try_seeds(
    question: &dyn Question,
    seeds: &[u64],
    goal: Goal,
) -> Result<Vec<(u64, Kind)>, Failed> {
    let drawn = seeds.iter().map(|seed| (*seed, Draw::procedure(*seed)));
    let drawn = drawn.filter(|(_, procedure)| question.is_for(procedure));
    let (seeds, procedures): (Vec<_>, Vec<_>) = drawn.unzip();
    if procedures.is_empty() {
        return Ok(Vec::new());
    }
    if let [procedure] = &procedures[..] {
        eprintln!("{}", judge::source(question, &[procedure]));
    }
    let failures = judge(question, &procedures, goal)?;
    let mut failed = Vec::new();
    for ((seed, procedure), failure) in seeds.into_iter().zip(procedures).zip(failures) {
        if let Some(failure) = failure {
            failed.push((seed, failure.kind));
            let (procedure, failure) = smaller::smallest(question, procedure, failure, goal)?;
            eprintln!("{goal:?}\n{}", told(question, seed, &procedure, &failure));
        }
    }
    Ok(failed)
}

fn told(question: &dyn Question, seed: u64, procedure: &Procedure, failure: &Failure) -> String {
    let Failure { kind, message } = failure;
    let message: String = message.chars().take(3000).collect();
    let comment: String = message.lines().map(|line| format!("// {line}\n")).collect();
    let source = judge::source(question, &[procedure]);
    format!("// seed {seed}: {kind:?}\n{comment}{source}// end\n")
}
