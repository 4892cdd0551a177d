//! What IREE does wrong and is worked around: each entry of `defects` still shows on the IREE that is used, and the guide's page
//! of them is current. Sources and entries name each other.

mod canary;
mod page;
mod registry;
mod report;
mod sources;
mod tool;

use libtest_mimic::{Arguments, Failed, Trial};
use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        Trial::test("page", page::is_current),
        Trial::test("sources", sources::name_entries),
    ];
    for defect in registry::all() {
        let name = defect.name.clone();
        let shows = Trial::test(format!("shows/{name}"), {
            let defect = defect.clone();
            move || canary::still_shows(&defect)
        });
        // On a machine that does other work too, nothing can be said of times.
        let is_ignored = defect.symptom.is_of_time() || !defect.is_of_this_machine();
        trials.push(shows.with_ignored_flag(is_ignored));
        trials.push(Trial::test(format!("report/{name}"), {
            let defect = defect.clone();
            move || report::is_current(&defect)
        }));
        trials.push(Trial::test(format!("files/{name}"), move || {
            sources::files_name(&defect)
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Compares what a file has with what it should have, or writes it if `BLESS=1` is set.
fn compare(file: &std::path::Path, expected: &str) -> Result<(), Failed> {
    let found = std::fs::read_to_string(file).unwrap_or_default();
    if found == expected {
        return Ok(());
    }
    if env::var_os("BLESS").is_some_and(|value| value == "1") {
        return Ok(std::fs::write(file, expected)?);
    }
    Err(format!("`{}` is not current; BLESS=1 writes it", file.display()).into())
}
