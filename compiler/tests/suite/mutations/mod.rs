//! Programs with random mistakes: whatever the tokens are, every stage up to MLIR ends, with mistakes of
//! the user or with a module, and never with one of ours.
//!
//! What the tests, the guide and the examples have of programs is the seed; tokens of it are removed,
//! repeated, exchanged, and replaced by others. `IREE_DSL_MUTATIONS` says how many programs are tried, and
//! `IREE_DSL_MUTATION_SEED` which.

mod stages;
mod tokens;

use libtest_mimic::{Failed, Trial};
use stages::run_stages;
use std::env;
pub(crate) use tokens::Random;
use tokens::{mutated, pool, seeds};

/// How many programs are tried where nothing says so.
const MUTATIONS: u64 = 400;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("mutations/seeds", try_seeds),
        Trial::test("mutations/programs", try_programs),
    ]
}

/// Many seeds are programs without mistakes, whose mutations may reach the last stage.
fn try_seeds() -> Result<(), Failed> {
    let seeds = seeds();
    let mut lowered = 0;
    for seed in &seeds {
        lowered += usize::from(run_stages(seed.clone())?);
    }
    match lowered > 40 {
        true => Ok(()),
        false => Err(format!("only {lowered} of {} seeds are programs", seeds.len()).into()),
    }
}

fn try_programs() -> Result<(), Failed> {
    let seeds = seeds();
    let pool = pool(&seeds);
    let count = number("IREE_DSL_MUTATIONS").unwrap_or(MUTATIONS);
    let first = number("IREE_DSL_MUTATION_SEED").unwrap_or(0);
    for run in first..first + count {
        let mut random = Random(run);
        let mut program = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(3) {
            program = mutated(program, &pool, &mut random);
        }
        let text = program.to_string();
        if let Err(mistake) = run_stages(program) {
            return Err(format!("run {run}: {mistake}, in\n{text}").into());
        }
    }
    Ok(())
}

/// A number from the environment.
pub(crate) fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}
