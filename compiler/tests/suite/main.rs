//! Tests of the stages from the intermediate representation on: golden files in `tests/cases`.

mod golden;

use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, golden::trials()).exit_code()
}
