//! What artifacts were made from.

use crate::artifact::{
    Fallback, Plan,
    key::{self, Key, LOWERING},
};
use iree_abi::build::{IREE_VERSION, safe_name};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

/// `<program>.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) program: String,
    /// The hash of its text in the intermediate representation.
    pub(super) source: String,
    pub(super) made_by: Maker,
    /// The passes of `legalize` that were left out.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) without: BTreeSet<String>,
    /// The module that was compiled, for people and for the program's constant `MLIR`.
    pub(super) mlir: Option<File>,
    pub(super) artifacts: Vec<Artifact>,
}

/// What made the artifacts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Maker {
    /// The version of this crate.
    pub(super) iree_dsl: String,
    pub(super) lowering: String,
    /// The version of the IREE compiler that this crate wants.
    pub(super) iree: String,
}

/// What is compiled for one target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Artifact {
    pub(super) target: String,
    /// All flags that it is compiled with.
    pub(super) flags: Vec<String>,
    /// The version that the compiler gave itself.
    pub(super) compiler: Option<String>,
    pub(super) vmfb: Option<File>,
    /// Why it is not compiled with those flags, or from the module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fallback: Option<Fallback>,
}

/// A file beside the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) blake3: String,
}

impl Manifest {
    /// What the manifest of a plan must say. The files are not known yet.
    pub(super) fn of(plan: &Plan<'_>) -> Self {
        let artifacts = plan.targets.iter().map(|target| Artifact {
            target: target.name.clone(),
            flags: plan.flags(target),
            compiler: None,
            vmfb: None,
            fallback: None,
        });
        Self {
            program: plan.name().to_owned(),
            source: Key::of_program(plan.program.module()).to_string(),
            made_by: Maker::this(),
            without: plan.without.clone(),
            mlir: None,
            artifacts: artifacts.collect(),
        }
    }

    /// Where the manifest of a program is.
    pub(super) fn path(folder: &Path, program: &str) -> PathBuf {
        folder.join(format!("{}.json", safe_name(program)))
    }

    /// Reads a manifest. `None` if it is none.
    pub(super) fn read(path: &Path) -> io::Result<Option<Self>> {
        let text = fs::read(path)?;
        Ok(serde_json::from_slice(&text).ok())
    }

    pub(super) fn text(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    pub(super) fn artifact(&self, target: &str) -> Option<&Artifact> {
        self.artifacts
            .iter()
            .find(|artifact| artifact.target == target)
    }

    /// Those of the files that a build with another manifest's targets uses.
    pub(super) fn files_for(&self, other: &Self) -> impl Iterator<Item = &File> {
        let artifacts = other.artifacts.iter();
        let artifacts = artifacts.filter_map(|wanted| self.artifact(&wanted.target));
        let vmfbs = artifacts.filter_map(|artifact| artifact.vmfb.as_ref());
        self.mlir.iter().chain(vmfbs)
    }
}

impl Maker {
    /// This crate.
    fn this() -> Self {
        Self {
            iree_dsl: env!("CARGO_PKG_VERSION").to_owned(),
            lowering: LOWERING.to_owned(),
            iree: IREE_VERSION.to_owned(),
        }
    }
}

impl File {
    /// A file that is there, under the name that it has beside the manifest.
    pub(super) fn of(name: String, path: &Path) -> io::Result<Self> {
        let (bytes, hash) = key::hash_of_file(path)?;
        Ok(Self {
            name,
            bytes,
            blake3: hash.to_string(),
        })
    }

    /// Whether the file is the one that was described. Its name must not lead out of the folder.
    pub(super) fn is_in(&self, folder: &Path) -> bool {
        let there = || Self::of(self.name.clone(), &folder.join(&self.name));
        safe_name(&self.name) == self.name && there().is_ok_and(|there| there == *self)
    }
}
