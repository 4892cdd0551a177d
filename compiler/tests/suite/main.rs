//! Tests of the stages from the intermediate representation on: golden files in `tests/cases`, and
//! programs that run on the CPU through IREE. And what the guide lists of the language.

mod device;
mod golden;
mod guide;
mod mutations;

use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = golden::trials();
    trials.extend(device::trials());
    trials.extend(guide::trials());
    trials.extend(mutations::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}
