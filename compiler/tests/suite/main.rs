//! Tests of the stages from the intermediate representation on: golden files in `tests/cases`, programs
//! that run on the CPU through IREE, and the suite of another interpreter. And what the guide lists of
//! the language.

mod accepted;
mod cancelled;
mod conformance;
mod device;
mod dispatches;
mod golden;
mod gpus;
mod guide;
mod language;
mod levels;
mod lookups;
mod mutations;
mod natural;
mod needed;
mod part;
mod products;
mod programs;
mod random;
mod registers;
mod scan;
mod schedule;
mod sizes;
mod views;
mod written;

use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = programs::serve() {
        return code;
    }
    let arguments = Arguments::from_args();
    let mut trials = golden::trials();
    trials.extend(accepted::trials());
    trials.extend(device::trials());
    trials.extend(dispatches::trials());
    trials.extend(cancelled::trials());
    trials.extend(levels::trials());
    trials.extend(lookups::trials());
    trials.extend(conformance::trials());
    trials.extend(random::trials());
    trials.extend(sizes::trials());
    trials.extend(gpus::trials());
    trials.extend(guide::trials());
    trials.extend(mutations::trials());
    trials.extend(natural::trials());
    trials.extend(needed::trials());
    trials.extend(products::trials());
    trials.extend(programs::trials());
    trials.extend(registers::trials());
    trials.extend(schedule::trials());
    trials.extend(views::trials());
    trials.extend(written::trials());
    match part::ignore_others(trials) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
