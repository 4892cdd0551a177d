//! What is said of a program's artifacts, for people and for other tools.

use super::{
    Compiled, Environment, Plan, UserFlag, Versions, cache::Cache, files, files::Published,
    key::Key,
};
use iree_abi::{
    Signature,
    build::{self, Compilation, Description, Files, Module},
};
use iree_dsl_ir::{Arena, Global, GlobalInit};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What is known of a program beside what it was compiled to.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// What the host sees of it.
    pub signature: &'a Signature,
    /// Its state.
    pub globals: &'a Arena<Global>,
    /// Where it is in the source: `src/main.rs:4`.
    pub source: &'a str,
    /// Its modules with the place in the source of each operation, unless it was compiled elsewhere.
    pub located: Option<&'a Versions>,
    /// What it was after the stage `legalize`, unless it was compiled elsewhere.
    pub legalized: Option<Legalized<'a>>,
}

/// A program after the stage `legalize`.
#[derive(Clone, Copy, Debug)]
pub struct Legalized<'a> {
    /// Its text, with the place in the source of each operation.
    pub text: &'a str,
    /// The passes, and what each did.
    pub passes: &'a [build::Pass],
}

/// Writes `target/iree/<package>/<program>.json`, a [`Description`], `<program>.located.mlir` and
/// `<program>.legalized.ir`.
///
/// Other builds of the program write to the same files. The path that this returns is that of the same description in
/// the cache: what embeds it names, to those who look at a build, what belongs to it.
pub fn describe(
    plan: &Plan<'_>,
    compiled: &[Compiled],
    about: About<'_>,
    environment: &Environment,
) -> Option<PathBuf> {
    let files = environment.files(plan.name())?;
    let published = Published::new(Some(files.clone()));
    if let Some(located) = about.located {
        published.update_located(located);
    }
    if let Some(legalized) = about.legalized {
        published.update_legalized(legalized.text);
    }
    let description = Description {
        program: plan.name().to_owned(),
        package: environment.package.clone(),
        source: about.source.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        opt: plan.preset.to_string(),
        flags: plan.flags.iter().map(UserFlag::to_string).collect(),
        signature: about.signature.clone(),
        globals: about.globals.iter().map(|(_, it)| global(it)).collect(),
        legalized: about
            .legalized
            .map(|legalized| module(files.legalized(), legalized.text)),
        passes: about.legalized.map_or_else(Vec::new, |it| it.passes.into()),
        artifacts: compiled
            .iter()
            .map(|artifact| compilation(artifact, plan, about.located, &files))
            .collect(),
    };
    let text = serde_json::to_string_pretty(&description).ok()? + "\n";
    published.update_description(&text);
    keep(&text, environment).ok()
}

fn keep(text: &str, environment: &Environment) -> Result<PathBuf, super::Failure> {
    let cache = Cache::new(environment.cache_directory());
    let content = [("content", "description".to_owned())];
    let key = Key::of_description(text);
    cache.obtain(&key, build::DESCRIPTION, &content, |_, path| {
        files::write(path, text.as_bytes())
    })
}

fn global(global: &Global) -> build::Global {
    build::Global {
        name: global.name.clone(),
        ty: global.ty.clone(),
        mutable: global.mutable,
        supplied: match &global.init {
            GlobalInit::Parameter(name) => Some(name.to_string()),
            _ => None,
        },
    }
}

fn compilation(
    artifact: &Compiled,
    plan: &Plan<'_>,
    located: Option<&Versions>,
    files: &Files,
) -> Compilation {
    let mut targets = plan.targets.iter();
    let target = targets.find(|target| target.name == artifact.target);
    let located = located.map(|located| {
        let machine = target.map(|target| target.machine());
        let other = machine.and_then(|machine| located.others.get_key_value(&machine));
        match other {
            Some((machine, text)) => module(files.located_for(&machine.to_string()), text),
            None => module(files.located(), &located.usual),
        }
    });
    Compilation {
        target: artifact.target.clone(),
        file: name(&files.vmfb(&artifact.target)),
        embedded: artifact.vmfb.clone(),
        module: located,
        bytes: fs::metadata(&artifact.vmfb).map_or(0, |file| file.len()),
        compiler: artifact.compiler.clone(),
        path: artifact.compiler_path.clone(),
        flags: artifact.flags.clone(),
        fallback: artifact.fallback.as_ref().map(|fallback| build::Fallback {
            way: fallback.rung.clone(),
            reason: fallback.reason.clone(),
        }),
    }
}

/// What a file has that is written for people.
fn module(path: PathBuf, text: &str) -> Module {
    Module {
        file: name(&path),
        hash: blake3::hash(text.as_bytes()).to_hex().to_string(),
    }
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
