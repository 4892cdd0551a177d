//! The commands of a report are those that the canary runs.

use crate::{
    canary, compare,
    registry::{Call, Defect, Symptom},
    tool,
};
use libtest_mimic::Failed;
use std::fs;

/// What the commands stand between.
const FENCES: (&str, &str) = ("```sh\n", "```\n");

/// Compares the commands of a report, or writes them if `BLESS=1` is set.
pub(crate) fn is_current(defect: &Defect) -> Result<(), Failed> {
    let file = defect.folder().join("report.md");
    let text = fs::read_to_string(&file)?;
    let (before, rest) = text.split_once(FENCES.0).ok_or("there are no commands")?;
    let (_, after) = rest
        .split_once(FENCES.1)
        .ok_or("the commands have no end")?;
    let commands: String = commands(defect)
        .iter()
        .map(|line| line.clone() + "\n")
        .collect();
    let (open, close) = FENCES;
    compare(&file, &format!("{before}{open}{commands}{close}{after}"))
}

/// What shows a defect, as one types it.
fn commands(defect: &Defect) -> Vec<String> {
    let compile = command("iree-compile", &tool::compile_arguments(defect));
    let timed = |call: &Call| command("iree-benchmark-module", &canary::timed_arguments(call));
    let calls = match &defect.symptom {
        Symptom::Generates { .. }
        | Symptom::Refused { .. }
        | Symptom::Crash { .. }
        | Symptom::Hang { .. } => Vec::new(),
        Symptom::WrongNumbers { call, expected, .. } => {
            let arguments = canary::compared_arguments(call, expected);
            vec![command("iree-run-module", &arguments)]
        }
        Symptom::CrashInCall { call } | Symptom::RefusedAtLoad { call, .. } => {
            vec![command("iree-run-module", &tool::call_arguments(call))]
        }
        Symptom::KeepsMemory { call } => {
            vec![command("iree-run-module", &canary::counted_arguments(call))]
        }
        Symptom::Slow { call, than, .. } => {
            let other = Call {
                function: than.clone(),
                ..call.clone()
            };
            vec![timed(call), timed(&other)]
        }
    };
    [vec![compile], calls].concat()
}

/// A command, over several lines if it is long.
fn command(tool: &str, arguments: &[String]) -> String {
    let words = arguments.iter().map(|argument| quoted(argument));
    let words: Vec<_> = [tool.to_owned()].into_iter().chain(words).collect();
    let line = words.join(" ");
    match line.len() <= 120 {
        true => line,
        false => words.join(" \\\n    "),
    }
}

fn quoted(word: &str) -> String {
    match word.contains([' ', '[', '*', '?']) {
        true => format!("'{word}'"),
        false => word.to_owned(),
    }
}
