//! What each pass of `legalize` is for, one program in a file of its name: right with all passes, and without that one refused
//! by the IREE compiler or wrong, which the interpreter shows.
//!
//! A line says which, `// without: refused` or `// without: wrong`; the others are those of natural programs. A pass that makes no
//! difference any more is one that a later IREE does not need. What only some processors need is seen on any machine: programs that
//! are right on it are compiled for the others too.

use crate::{
    natural::{call, program},
    programs::built::{Compiled, Goal, Refusal, compile, compile_for},
};
use iree_dsl_compiler::legalize::{Passes, passes};
use libtest_mimic::{Failed, Trial};
use std::{fs, path::Path};

/// Passes that no program shows, and why.
const OTHERS: [(&str, &str); 10] = [
    ("concatenated", COVERED),
    ("contained", "is about time"),
    ("shared", "is about time"),
    ("known", "removes the barriers of others"),
    ("separation", "does what a build asks for"),
    ("sizes", COVERED),
    ("transposed", "is about time"),
    ("unpacked", "is about time"),
    ("vectors", COVERED),
    ("views", COVERED),
];

/// It was needed before other passes were there.
const COVERED: &str = "others have barriers there in all programs that were tried";

pub(crate) fn trials() -> Vec<Trial> {
    let is_other = |name| OTHERS.iter().any(|(other, _)| *other == name);
    let shown = passes().filter(|pass| !is_other(pass.name));
    shown
        .map(|pass| Trial::test(format!("needed/{}", pass.name), move || check(pass.name)))
        .collect()
}

fn check(pass: &'static str) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/needed");
    let file = folder.join(pass).with_extension("rs");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let source = program(&text);
    let compiled = compile(&source, false).map_err(Refusal::into_message)?;
    call(&text, &compiled)?;
    let found = without(&text, &source, pass)?;
    match text.contains(&format!("// without: {found}\n")) {
        true => Ok(()),
        false => Err(format!("without the pass it is {found}").into()),
    }
}

/// What becomes of a program without a pass.
fn without(text: &str, source: &str, pass: &str) -> Result<&'static str, Failed> {
    match compile_without(source, pass, Goal::on_this_machine())? {
        None => return Ok("refused"),
        Some(compiled) if call(text, &compiled).is_err() => return Ok("wrong"),
        Some(_) => {}
    }
    for goal in Goal::elsewhere() {
        if compile_without(source, pass, goal)?.is_none() {
            return Ok("refused");
        }
    }
    Ok("right")
}

/// A program without a pass, where the IREE compiler accepts it.
fn compile_without(source: &str, pass: &str, goal: Goal) -> Result<Option<Compiled>, Failed> {
    let passes = Passes::without([pass])?;
    // Most small programs are right without passes where their factors are not packed.
    let goal = Goal {
        packs: true,
        ..goal
    };
    match compile_for(source, goal, passes) {
        Ok(compiled) => Ok(Some(compiled)),
        Err(Refusal::Compiler(_)) => Ok(None),
        Err(Refusal::Language(message)) => Err(message.into()),
    }
}
