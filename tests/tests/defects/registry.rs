//! The entries of `defects`: a folder for each, with what is known of it, the module that shows it and the report.

use iree_abi::CpuLevel;
use serde::Deserialize;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A defect of IREE, as `defect.toml` has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Defect {
    /// The folder's name, by which sources refer to it.
    #[serde(skip)]
    pub(crate) name: String,
    /// What goes wrong, in a line.
    pub(crate) title: String,
    /// What users would have seen.
    pub(crate) users: String,
    /// What is done against it.
    pub(crate) avoided: String,
    /// Our files that do so, which can go, or a part of them, when IREE no longer shows the defect.
    pub(crate) files: Vec<PathBuf>,
    /// The versions of IREE on which it was seen.
    pub(crate) seen: Vec<String>,
    /// What the module is compiled for, if that is not this machine's processor.
    pub(crate) target: Option<String>,
    /// What the compiler must be told besides the target.
    #[serde(default)]
    pub(crate) flags: Vec<String>,
    /// The least processors on which it shows, where others do not show it.
    pub(crate) level: Option<Level>,
    pub(crate) symptom: Symptom,
}

/// A level of x86-64.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Level {
    V3,
    V4,
}

impl Defect {
    /// Whether it shows on the processor of this machine.
    pub(crate) fn is_of_this_machine(&self) -> bool {
        let least = match self.level {
            None => return true,
            Some(Level::V3) => CpuLevel::V3,
            Some(Level::V4) => CpuLevel::V4,
        };
        CpuLevel::of_this_machine() >= least
    }
}

/// How the defect shows.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Symptom {
    /// A function returns something else than what it should.
    WrongNumbers {
        call: Call,
        /// What it should return, each as `iree-run-module` takes it.
        expected: Vec<String>,
        /// A part of what is printed instead, if it is always the same.
        found: Option<String>,
    },
    /// The compiler makes wrong code, of which it prints this. There may be nothing here that runs it.
    Generates { message: String },
    /// The compiler refuses the module, with a message that has this in it.
    Refused { message: String },
    /// The compiler crashes, on a trace that has this in it.
    Crash { message: String },
    /// A function crashes the process.
    CrashInCall { call: Call },
    /// The runtime does not load what was compiled, or a call fails, with a message that has this in it.
    RefusedAtLoad { call: Call, message: String },
    /// The memory of a call is not all released when its results are gone.
    KeepsMemory { call: Call },
    /// The compiler is not done after so many seconds.
    Hang { seconds: u64 },
    /// A function takes more than so many times as long as another that does the same.
    Slow {
        call: Call,
        /// The other function, of the same inputs.
        than: String,
        times: f64,
    },
}

/// A call of a function of the module.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Call {
    pub(crate) function: String,
    #[serde(default)]
    pub(crate) inputs: Vec<String>,
}

impl Symptom {
    /// As users would say it.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            Self::WrongNumbers { .. } | Self::Generates { .. } => "wrong numbers",
            Self::Refused { .. } => "refused",
            Self::Crash { .. } => "the compiler crashes",
            Self::CrashInCall { .. } => "a call crashes",
            Self::RefusedAtLoad { .. } => "not loaded",
            Self::KeepsMemory { .. } => "memory is kept",
            Self::Hang { .. } => "the compiler takes very long",
            Self::Slow { .. } => "slow",
        }
    }

    /// Whether it is seen by how long something takes.
    pub(crate) fn is_of_time(&self) -> bool {
        matches!(self, Self::Hang { .. } | Self::Slow { .. })
    }
}

impl Defect {
    pub(crate) fn folder(&self) -> PathBuf {
        root().join("defects").join(&self.name)
    }
}

/// The folder that has the workspace's manifest.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// All entries, in the order of their names.
pub(crate) fn all() -> Vec<Defect> {
    let entries = fs::read_dir(root().join("defects")).expect("the folder `defects`");
    let folders = entries.map(|entry| entry.expect("an entry of `defects`").path());
    let mut folders: Vec<_> = folders.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders.iter().map(|folder| read(folder)).collect()
}

fn read(folder: &Path) -> Defect {
    let file = folder.join("defect.toml");
    let text =
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let defect: Defect =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let name = folder.file_name().expect("the name of a folder");
    Defect {
        name: name.to_string_lossy().into_owned(),
        ..defect
    }
}
