//! What a build left of the programs of a package.

use crate::{
    advice::{self, Advice},
    mlir::{self, Place},
    project::Project,
};
use anyhow::{Context, Result};
use iree_abi::{
    FunctionSignature,
    build::{Compilation, Description, Files},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A program, and where its files are.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) description: Description,
    files: Files,
}

impl Program {
    /// Reads what is said of a program.
    fn read(path: &Path, target_directory: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)?;
        let description: Description = serde_json::from_str(&text)?;
        let files = Files::new(target_directory, &description.package, &description.program);
        Ok(Self { description, files })
    }

    /// Its name in IREE.
    pub(crate) fn name(&self) -> &str {
        &self.description.program
    }

    /// Where its files are.
    pub(crate) const fn files(&self) -> &Files {
        &self.files
    }

    /// Its module with the places of operations in the source.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn located(&self) -> Result<String> {
        read(&self.files.located())
    }

    /// The module that was compiled for a target, with the places of operations in the source.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn module(&self, compilation: &Compilation) -> Result<String> {
        read(&self.module_path(compilation))
    }

    /// Where that module is.
    pub(crate) fn module_path(&self, compilation: &Compilation) -> PathBuf {
        self.files.directory().join(&compilation.module)
    }

    /// Where it is in the source.
    pub(crate) fn source(&self) -> Option<Place> {
        let text = self.located().ok()?;
        let lines = mlir::lines(&text);
        lines.last()?.places.first().cloned()
    }

    /// The procedure of a name.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(crate) fn procedure(&self, name: &str) -> Result<&FunctionSignature> {
        let signature = &self.description.signature;
        signature.function(name).ok_or_else(|| {
            let known = signature.functions.iter().map(|known| known.name.as_str());
            Advice::unknown("procedure", name, &known.collect::<Vec<_>>())
        })
    }

    /// What it was compiled to for a target.
    ///
    /// # Errors
    ///
    /// If it was not compiled for that.
    pub(crate) fn compilation(&self, target: &str) -> Result<&Compilation> {
        let all = &self.description.artifacts;
        all.iter()
            .find(|known| known.target == target)
            .ok_or_else(|| {
                let known = all.iter().map(|known| known.target.as_str());
                Advice::unknown("target", target, &known.collect::<Vec<_>>())
            })
    }

    /// The file that it was compiled to.
    pub(crate) fn vmfb(&self, compilation: &Compilation) -> PathBuf {
        self.files.directory().join(&compilation.file)
    }
}

/// All programs of the packages that are meant, by name. What cannot be read is said, and left out; so is what is left of
/// programs whose file is gone.
///
/// # Errors
///
/// If there are none.
pub(crate) fn all(project: &Project) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for path in descriptions(project) {
        match Program::read(&path, project.target_directory()) {
            Ok(program) if is_gone(&program, project) => {}
            Ok(program) => programs.push(program),
            Err(error) => advice::warn(&error.context(damaged(&path))),
        }
    }
    programs.sort_by(|a, b| a.name().cmp(b.name()));
    match programs.is_empty() {
        true => Err(none(project)),
        false => Ok(programs),
    }
}

fn is_gone(program: &Program, project: &Project) -> bool {
    let source = program.source();
    source.is_some_and(|place| !project.root().join(place.file).exists())
}

/// The program of a name; without a name, the only one.
///
/// # Errors
///
/// If there is no such program, or more than one that could be meant.
pub(crate) fn find(project: &Project, name: Option<&str>) -> Result<Program> {
    let programs = all(project)?;
    let names: Vec<String> = programs
        .iter()
        .map(|known| known.name().to_owned())
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut meant = programs
        .into_iter()
        .filter(|program| name.is_none_or(|name| name == program.name()));
    match (meant.next(), meant.next(), name) {
        (Some(program), None, _) => Ok(program),
        (None, ..) => Err(Advice::unknown("program", name.unwrap_or_default(), &names)),
        (Some(_), Some(_), None) => Err(Advice::error(
            "which program is meant?",
            format!("name one of {}", names.join(", ")),
        )),
        (Some(_), Some(_), Some(name)) => Err(Advice::error(
            format!("several packages have a program `{name}`"),
            "name the package with --package",
        )),
    }
}

fn descriptions(project: &Project) -> Vec<PathBuf> {
    let packages = project.packages().into_iter();
    let folders =
        packages.map(|package| Files::of_package(project.target_directory(), &package.name));
    let entries = folders.filter_map(|folder| fs::read_dir(folder).ok());
    let paths = entries.flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| damaged(path))
}

fn damaged(path: &Path) -> Advice {
    Advice::new(
        format!("`{}` cannot be read", path.display()),
        "remove it and build again, after a change to the program's file",
    )
}

fn none(project: &Project) -> anyhow::Error {
    let packages = project.packages();
    let names: Vec<_> = packages
        .iter()
        .map(|package| format!("`{}`", package.name))
        .collect();
    Advice::error(
        format!("no build left a program of {}", names.join(", ")),
        "a program is a module with `#[program]`; those of examples and tests need --examples or \
         --all-targets",
    )
}
