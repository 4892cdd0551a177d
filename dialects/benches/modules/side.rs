//! Who builds it, in a process of its own.

use crate::{c, melior, python, typed, work::Work};
use iree_dialects::{prelude::*, verify};
use std::{
    env,
    error::Error,
    fs,
    process::Command,
    time::{Duration, Instant},
};

/// How often a process builds the module.
const ROUNDS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The functions of MLIR's C API.
    C,
    /// The builder that melior has for all operations.
    Melior,
    /// The typed builders of this crate.
    Typed,
    /// MLIR's Python bindings.
    Python,
}

/// What a process measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// Of the quickest round.
    pub(crate) seconds: f64,
    /// What the first module takes.
    pub(crate) mebibytes: f64,
}

impl Side {
    pub(crate) const ALL: [Self; 4] = [Self::C, Self::Melior, Self::Typed, Self::Python];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::Melior => "melior",
            Self::Typed => "typed",
            Self::Python => "Python",
        }
    }

    /// Measures in another process; nothing if there is none for this side.
    pub(crate) fn run(self, work: Work) -> Result<Option<Measured>, Box<dyn Error>> {
        let mut command = match self {
            Self::C | Self::Melior | Self::Typed => {
                let mut command = Command::new(env::current_exe()?);
                command.args(["--one", self.name(), work.name()]);
                command
            }
            Self::Python => match python::command(work) {
                Some(command) => command,
                None => return Ok(None),
            },
        };
        let output = command.output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let text = String::from_utf8(output.stdout)?;
        let (seconds, mebibytes) = text.trim().split_once(' ').ok_or("no two numbers")?;
        Ok(Some(Measured {
            seconds: seconds.parse()?,
            mebibytes: mebibytes.parse()?,
        }))
    }
}

pub(crate) fn quicker(one: Option<Measured>, other: Option<Measured>) -> Option<Measured> {
    [one, other]
        .into_iter()
        .flatten()
        .min_by(|one, other| one.seconds.total_cmp(&other.seconds))
}

/// Measures a side in this process, and prints what [`Side::run`] reads.
pub(crate) fn run_here(side: &str, work: &str) -> Result<(), Box<dyn Error>> {
    let work = Work::of_name(work).ok_or("there is no such work")?;
    let build = match side {
        "C" => c::build,
        "melior" => melior::build,
        "typed" => typed::build,
        _ => return Err("there is no such side".into()),
    };
    let context = iree_dialects::context();
    let mut quickest = Duration::MAX;
    let mut memory = None;
    for _ in 0..ROUNDS {
        let before = resident_mebibytes()?;
        let module = iree_dialects::module(Location::unknown(&context));
        let start = Instant::now();
        build(&context, &module, work)?;
        quickest = quickest.min(start.elapsed());
        let after = resident_mebibytes()?;
        memory.get_or_insert(after - before);
        verify(&module)?;
    }
    println!("{} {}", quickest.as_secs_f64(), memory.unwrap_or_default());
    Ok(())
}

fn resident_mebibytes() -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next());
    let kibibytes: f64 = kibibytes.ok_or("the system does not say it")?.parse()?;
    Ok(kibibytes / 1024.0)
}
