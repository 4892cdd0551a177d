//! Programs that are lowered in another way for some machines, compiled for each level that this machine has, and called next to the
//! interpreter. A file is as those of natural programs, but with several procedures.

use crate::{
    natural::{call, program},
    programs::built::{Goal, Refusal, compile_for},
};
use iree_dsl_compiler::legalize::Passes;
use libtest_mimic::{Failed, Trial};
use std::{fs, path::Path};

const PROGRAMS: [&str; 1] = ["convolutions"];

pub(crate) fn trials() -> Vec<Trial> {
    let trials = PROGRAMS.iter().flat_map(|name| {
        Goal::here().map(move |goal| {
            let trial = format!("levels/{name}/{:?}", goal.level);
            Trial::test(trial, move || check(name, goal))
        })
    });
    trials.collect()
}

fn check(name: &str, goal: Goal) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/levels");
    let text = fs::read_to_string(folder.join(name).with_extension("rs"))?;
    let compiled = compile_for(&program(&text), goal, Passes::default());
    call(&text, &compiled.map_err(Refusal::into_message)?)
}
