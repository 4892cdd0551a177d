//! The tests of the compiler that run programs, with the interpreter in the place of a device: the same modules, inputs
//! and expectations, from the operations one by one to programs of the language. Beside them are cases that stand in
//! files, and the numbers of other oracles.

mod cases;
#[allow(dead_code, reason = "these tests need less of it")]
#[path = "../../../compiler/tests/suite/conformance/mod.rs"]
mod conformance;
mod device;
#[allow(dead_code, reason = "these tests need less of it")]
#[path = "../../../compiler/tests/suite/language.rs"]
mod language;
#[path = "../../../compiler/tests/suite/lookups.rs"]
mod lookups;
mod mutations;
mod oracle;
#[path = "../../../compiler/tests/suite/products/mod.rs"]
mod products;
#[path = "../../../compiler/tests/suite/random/mod.rs"]
mod random;
#[path = "../../../compiler/tests/suite/sizes/mod.rs"]
mod sizes;
#[path = "../../../compiler/tests/suite/views.rs"]
mod views;

use libtest_mimic::Arguments;
use std::{process::ExitCode, sync::atomic::Ordering};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = cases::trials();
    trials.extend(device::trials());
    trials.extend(conformance::trials());
    trials.extend(oracle::trials());
    trials.extend(lookups::trials());
    trials.extend(products::trials());
    trials.extend(random::trials());
    trials.extend(sizes::trials());
    trials.extend(views::trials());
    // What these say of the compiler is said by its own tests.
    trials.retain(|trial| !ABOUT_THE_COMPILER.contains(&trial.name()));
    let conclusion = libtest_mimic::run(&arguments, trials);
    // What lists the tests takes each line for one.
    if arguments.list {
        return conclusion.exit_code();
    }
    let compared = device::COMPARED.load(Ordering::Relaxed);
    println!("{compared} results were compared with expectations");
    conclusion.exit_code()
}

const ABOUT_THE_COMPILER: [&str; 3] = [
    "conformance/table",
    "sizes/every_operation",
    "sizes/refused",
];
