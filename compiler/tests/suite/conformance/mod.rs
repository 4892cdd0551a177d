//! The cases of the StableHLO interpreter's own test suite, written in the language, from its source to
//! the numbers that IREE computes. Which of them there are, and which are out of scope, is written in
//! `tests/conformance/RESULTS.md`; with the environment variable `BLESS=1` it is written anew.

mod case;
mod literal;
mod program;
mod scope;
mod statement;
mod table;
mod translate;

use crate::device::check_calls;
use case::Case;
use iree_abi::CpuLevel;
use libtest_mimic::{Failed, Trial};
use program::Written;
use std::ops::Range;

/// How many cases are compiled at once.
const BATCH: usize = 60;

/// One test for each batch of cases, and one for the table.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![Trial::test("conformance/table", || table::check(&cases()?))];
    let count = cases().map_or(0, |cases| cases.len());
    trials.extend((0..count).step_by(BATCH).map(|first| {
        let name = format!("conformance/cases_from_{first}");
        Trial::test(name, move || run(first..count.min(first + BATCH)))
    }));
    trials
}

fn cases() -> Result<Vec<Case>, Failed> {
    Ok(Case::all()?)
}

/// Runs those of some cases that are in scope.
fn run(numbers: Range<usize>) -> Result<(), Failed> {
    let cases = cases()?.into_iter().enumerate();
    let batch =
        cases.filter(|(number, case)| numbers.contains(number) && scope::reason(case).is_none());
    let batch = batch.map(|(number, case)| Written::new(number, &case));
    let batch: Vec<_> = batch.collect::<Result<_, _>>()?;
    let module = program::trace(&batch)?;
    let calls: Vec<_> = batch.into_iter().map(|case| case.call).collect();
    check_calls(module, &calls, CpuLevel::of_this_machine())
}
