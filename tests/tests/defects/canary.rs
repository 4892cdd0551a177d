//! Whether IREE still does what an entry says.

use crate::{
    registry::{Call, Defect, Symptom},
    tool::{self, Ended, LIMIT},
};
use libtest_mimic::Failed;
use std::{fs, path::Path, time::Duration};

/// How often the compiler is run until it crashes: which of its threads comes first may decide whether it does.
const CRASH_TRIES: usize = 12;

/// Compiles the module of a defect, and runs it where the defect shows in calls only.
pub(crate) fn still_shows(defect: &Defect) -> Result<(), Failed> {
    let directory = tempfile::tempdir()?;
    let folder = directory.path();
    fs::copy(
        defect.folder().join("module.mlir"),
        folder.join("module.mlir"),
    )?;
    let limit = match defect.symptom {
        Symptom::Hang { seconds } => Duration::from_secs(seconds),
        _ => LIMIT,
    };
    let tries = match defect.symptom {
        Symptom::Crash { .. } => CRASH_TRIES,
        _ => 1,
    };
    let arguments = tool::compile_arguments(defect);
    let mut sight = Sight::Gone;
    for _ in 0..tries {
        let compiled = tool::run("iree-compile", &arguments, folder, limit)?;
        match look(&defect.symptom, &compiled, folder)? {
            Sight::Gone => {}
            // A thread that crashes while another does may keep it from saying where.
            seen @ Sight::Other(_) => sight = seen,
            seen @ Sight::Shown => {
                sight = seen;
                break;
            }
        }
    }
    let version = tool::version(folder)?;
    match sight {
        Sight::Shown if defect.seen.contains(&version) => Ok(()),
        Sight::Shown => Err(format!("IREE {version} still shows it: add that to `seen`").into()),
        Sight::Gone => Err(gone(defect, &version).into()),
        Sight::Other(ended) => {
            let what = format!("IREE {version} does something else than the entry says: {ended}");
            Err(what.into())
        }
    }
}

/// What is seen of a defect.
enum Sight {
    Shown,
    /// What should come comes.
    Gone,
    /// Neither, but it ended like this.
    Other(String),
}

impl Sight {
    fn of(is_shown: bool, is_right: bool, ended: &Ended) -> Self {
        match (is_shown, is_right) {
            (true, _) => Self::Shown,
            (false, true) => Self::Gone,
            (false, false) => Self::Other(ended.to_string()),
        }
    }
}

fn gone(defect: &Defect, version: &str) -> String {
    let files = defect
        .files
        .iter()
        .map(|file| format!("\n    {}", file.display()));
    format!(
        "IREE {version} no longer shows it. See whether this can go, or the part of it that names the entry:{}",
        files.collect::<String>()
    )
}

fn look(symptom: &Symptom, compiled: &Ended, folder: &Path) -> Result<Sight, Failed> {
    let is_compiled = compiled.is_success();
    let says = |message: &str| compiled.printed.contains(message);
    match symptom {
        Symptom::Refused { message } => {
            let is_shown = compiled.is_failure() && says(message);
            return Ok(Sight::of(is_shown, is_compiled, compiled));
        }
        Symptom::Generates { message } => {
            let is_shown = is_compiled && says(message);
            return Ok(Sight::of(is_shown, is_compiled, compiled));
        }
        Symptom::Crash { message } => {
            let is_shown = compiled.is_crash() && says(message);
            return Ok(Sight::of(is_shown, is_compiled, compiled));
        }
        Symptom::Hang { .. } => {
            return Ok(Sight::of(compiled.status.is_none(), is_compiled, compiled));
        }
        _ if !is_compiled => return Ok(Sight::Other(compiled.to_string())),
        _ => {}
    }
    look_at_calls(symptom, folder)
}

fn look_at_calls(symptom: &Symptom, folder: &Path) -> Result<Sight, Failed> {
    let call = |call: &Call| {
        let arguments = tool::call_arguments(call);
        tool::run("iree-run-module", &arguments, folder, LIMIT)
    };
    Ok(match symptom {
        Symptom::WrongNumbers {
            call,
            expected,
            found,
        } => {
            let arguments = compared_arguments(call, expected);
            let ended = tool::run("iree-run-module", &arguments, folder, LIMIT)?;
            let is_found = found.as_ref().is_none_or(|it| ended.printed.contains(it));
            let is_shown = ended.printed.contains("[FAILED]") && is_found;
            Sight::of(is_shown, ended.is_success(), &ended)
        }
        Symptom::CrashInCall { call: of } => {
            let ended = call(of)?;
            Sight::of(ended.is_crash(), ended.is_success(), &ended)
        }
        Symptom::RefusedAtLoad { call: of, message } => {
            let ended = call(of)?;
            let is_shown = ended.is_failure() && ended.printed.contains(message);
            Sight::of(is_shown, ended.is_success(), &ended)
        }
        Symptom::KeepsMemory { call } => {
            let arguments = counted_arguments(call);
            let ended = tool::run("iree-run-module", &arguments, folder, LIMIT)?;
            let mut live = ended.printed.lines().filter_map(live_bytes);
            Sight::of(live.any(|bytes| bytes > 0), ended.is_success(), &ended)
        }
        Symptom::Slow { call, than, times } => {
            let (slow, fast) = (
                time(&call.function, call, folder)?,
                time(than, call, folder)?,
            );
            match slow > fast * times {
                true => Sight::Shown,
                false => Sight::Gone,
            }
        }
        Symptom::Generates { .. }
        | Symptom::Refused { .. }
        | Symptom::Crash { .. }
        | Symptom::Hang { .. } => Sight::Gone,
    })
}

/// The arguments of `iree-run-module` for a call whose results it compares.
pub(crate) fn compared_arguments(call: &Call, expected: &[String]) -> Vec<String> {
    let results = expected.iter().map(|it| format!("--expected_output={it}"));
    tool::call_arguments(call)
        .into_iter()
        .chain(results)
        .collect()
}

/// The arguments of `iree-run-module` for a call of which it says how much memory it leaves.
pub(crate) fn counted_arguments(call: &Call) -> Vec<String> {
    let mut arguments = tool::call_arguments(call);
    arguments.push("--print_statistics=true".to_owned());
    arguments
}

/// The number in `.. 12B live`.
fn live_bytes(line: &str) -> Option<u64> {
    let words = line.strip_suffix("B live")?;
    words.split_whitespace().next_back()?.parse().ok()
}

/// How many nanoseconds a function takes.
fn time(function: &str, call: &Call, folder: &Path) -> Result<f64, Failed> {
    let call = Call {
        function: function.to_owned(),
        ..call.clone()
    };
    let ended = tool::run(
        "iree-benchmark-module",
        &timed_arguments(&call),
        folder,
        LIMIT,
    )?;
    let time = ended.printed.lines().find_map(|line| {
        let (_, times) = line.split_once("real_time ")?;
        let mut words = times.split_whitespace();
        let number: f64 = words.next()?.parse().ok()?;
        let unit = match words.next()? {
            "ns" => 1.0,
            "us" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            _ => return None,
        };
        Some(number * unit)
    });
    time.ok_or_else(|| format!("`{function}` was not timed:\n{}", ended.printed).into())
}

/// The arguments of `iree-benchmark-module` for a call.
pub(crate) fn timed_arguments(call: &Call) -> Vec<String> {
    let mut arguments = tool::call_arguments(call);
    arguments.push("--benchmark_min_time=0.2s".to_owned());
    arguments
}
