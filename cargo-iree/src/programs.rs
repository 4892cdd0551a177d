//! What a build left of the programs of a package.

use crate::{
    advice::{self, Advice},
    build::Made,
    project::Project,
};
use anyhow::{Context, Result};
use iree_abi::{
    FunctionSignature,
    build::{Compilation, Description, Files, Module, Pass},
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

    /// The module with the places of operations in the source that most targets get.
    ///
    /// # Errors
    ///
    /// As [`Self::module`].
    pub(crate) fn located(&self) -> Result<String> {
        let artifacts = &self.description.artifacts;
        let plain = self.files.located();
        let is_plain = |artifact: &&Compilation| {
            let module = artifact.module.as_ref();
            module.is_some_and(|module| self.path(module) == plain)
        };
        let found = artifacts.iter().find(is_plain).or(artifacts.first());
        self.module(found.context("the program was compiled for nothing")?)
    }

    /// The module that was compiled for a target, with the places of operations in the source.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or if there is none.
    pub(crate) fn module(&self, compilation: &Compilation) -> Result<String> {
        Ok(self.module_file(compilation)?.1)
    }

    /// Where that module is.
    ///
    /// # Errors
    ///
    /// As [`Self::module`].
    pub(crate) fn module_path(&self, compilation: &Compilation) -> Result<PathBuf> {
        Ok(self.module_file(compilation)?.0)
    }

    /// The program after the stage `legalize`, with the places of operations in the source.
    ///
    /// # Errors
    ///
    /// As [`Self::module`].
    pub(crate) fn legalized(&self) -> Result<String> {
        let legalized = self.description.legalized.as_ref();
        Ok(self
            .read_module(legalized.ok_or_else(|| self.elsewhere())?)?
            .1)
    }

    /// The passes of that stage.
    ///
    /// # Errors
    ///
    /// If the program was compiled elsewhere.
    pub(crate) fn passes(&self) -> Result<&[Pass]> {
        match self.description.passes.as_slice() {
            [] => Err(self.elsewhere()),
            passes => Ok(passes),
        }
    }

    fn module_file(&self, compilation: &Compilation) -> Result<(PathBuf, String)> {
        let module = compilation.module.as_ref();
        self.read_module(module.ok_or_else(|| self.elsewhere())?)
    }

    fn elsewhere(&self) -> anyhow::Error {
        Advice::error(
            format!("the artifacts of `{}` were compiled elsewhere", self.name()),
            "compile it here, with the feature `compile` of `iree-dsl`, to see what it consists of",
        )
    }

    /// A module that the build has left, and where it is.
    fn read_module(&self, module: &Module) -> Result<(PathBuf, String)> {
        let path = self.path(module);
        let text = fs::read_to_string(&path).with_context(|| damaged(&path))?;
        match blake3::hash(text.as_bytes()).to_hex().as_str() == module.hash {
            true => Ok((path, text)),
            false => Err(Advice::error(
                format!(
                    "`{}` is that of another program or build of this name",
                    path.display()
                ),
                "build again, after a change to the program's file; `#[program(name = \"…\")]` tells \
                 programs of one package apart",
            )),
        }
    }

    fn path(&self, module: &Module) -> PathBuf {
        self.files.directory().join(&module.file)
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

    /// What it was compiled to for a target: `cpu-x86-64-v3`, or as programs name it, `cpu:x86-64-v3`, or `cuda` for the only
    /// one of its kind.
    ///
    /// # Errors
    ///
    /// If it was not compiled for that.
    pub(crate) fn compilation(&self, target: &str) -> Result<&Compilation> {
        let all = &self.description.artifacts;
        let name = target.replacen(':', "-", 1);
        let kind = format!("{target}-");
        let mut of_kind = all.iter().filter(|known| known.target.starts_with(&kind));
        let only = of_kind.next().filter(|_| of_kind.next().is_none());
        let found = all.iter().find(|known| known.target == name).or(only);
        found.ok_or_else(|| {
            let known = all.iter().map(|known| known.target.as_str());
            Advice::unknown("target", target, &known.collect::<Vec<_>>())
        })
    }
}

/// All programs of the packages that are meant which a build made, by name; without a build, all that any has left, but
/// those whose source is gone. What cannot be read is said, and left out.
///
/// # Errors
///
/// If there are none.
pub(crate) fn all(project: &Project, made: Option<&Made>) -> Result<Vec<Program>> {
    let paths = match made {
        Some(made) => made.descriptions().map(Path::to_owned).collect(),
        None => descriptions(project),
    };
    let mut programs = Vec::new();
    for path in paths {
        match Program::read(&path, project.target_directory()) {
            Ok(program) if !is_meant(&program, project) => {}
            Ok(program) if made.is_none() && is_gone(&program, project) => {}
            Ok(program) => programs.push(program),
            Err(error) => advice::warn(&error.context(damaged(&path))),
        }
    }
    let key = |program: &Program| {
        let Description {
            program, source, ..
        } = &program.description;
        (program.clone(), source.clone())
    };
    programs.sort_by_key(key);
    match programs.is_empty() {
        true => Err(none(project)),
        false => Ok(programs),
    }
}

fn is_gone(program: &Program, project: &Project) -> bool {
    let source = program.description.source.rsplit_once(':');
    source.is_some_and(|(file, _)| !project.root().join(file).exists())
}

/// Whether it belongs to a package that is meant: what binaries are made from are also the files of libraries.
fn is_meant(program: &Program, project: &Project) -> bool {
    let packages = project.packages();
    let mut names = packages.iter().map(|package| package.name.as_str());
    names.any(|name| name == program.description.package)
}

/// The program of a name; without a name, the only one.
///
/// # Errors
///
/// If there is no such program, or more than one that could be meant.
pub(crate) fn find(project: &Project, made: Option<&Made>, name: Option<&str>) -> Result<Program> {
    let programs = all(project, made)?;
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
        (Some(one), Some(other), Some(name)) => {
            let place = |program: &Program| {
                let Description {
                    package, source, ..
                } = &program.description;
                format!("in {package} at {source}")
            };
            Err(Advice::error(
                format!(
                    "there are several programs `{name}`: {} and {}",
                    place(&one),
                    place(&other)
                ),
                "name the package with --package, or give programs of one package names of their own: \
                 `#[program(name = \"…\")]`",
            ))
        }
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
