//! Of the long tests a part, where there is no time for all: `IREE_DSL_PART=2/3` has the second of three, and ignores the others.

use iree_abi::CpuLevel;
use libtest_mimic::Trial;
use std::env::{self, consts::ARCH};

const VARIABLE: &str = "IREE_DSL_PART";

/// Groups whose tests each compile for long, and of which each is about a program of its own.
const LONG: [&str; 7] = [
    "dispatches",
    "levels",
    "lookups",
    "natural",
    "needed",
    "sizes",
    "views",
];

/// Ignores the long tests of other parts than is asked for.
///
/// # Errors
///
/// Why there is no such part.
pub(crate) fn ignore_others(trials: Vec<Trial>) -> Result<Vec<Trial>, String> {
    let Some(part) = env::var_os(VARIABLE) else {
        return Ok(trials);
    };
    let text = part.to_string_lossy();
    let (part, parts) = parse(&text).ok_or(format!("{VARIABLE}={text}: a part is `2/3`"))?;
    let mut places = (0..parts).cycle();
    let ignored = trials.into_iter().map(|trial| {
        let is_of_another = is_long(trial.name()) && places.next() != Some(part);
        let is_ignored = is_of_another || trial.has_ignored_flag();
        trial.with_ignored_flag(is_ignored)
    });
    Ok(ignored.collect())
}

/// The place of a part, from 0 on, and how many there are.
fn parse(text: &str) -> Option<(usize, usize)> {
    let (part, parts) = text.split_once('/')?;
    let (part, parts): (usize, usize) = (part.parse().ok()?, parts.parse().ok()?);
    Some((part.checked_sub(1)?, parts)).filter(|_| part <= parts)
}

fn is_long(name: &str) -> bool {
    let group = name.split('/').next().unwrap_or_default();
    LONG.contains(&group) || (group == "device" && is_of_the_least(name))
}

/// What is compiled once more, for the least machine.
fn is_of_the_least(name: &str) -> bool {
    let least = CpuLevel::Baseline;
    least != CpuLevel::of_this_machine() && name.ends_with(&format!("/{}", least.target(ARCH)))
}
