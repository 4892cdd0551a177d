//! What is said of a program's artifacts, for people and for other tools.

use super::{Compiled, Environment, Request, Target, UserFlag, files::Published};
use crate::ir::{Arena, Global, GlobalInit};
use iree_abi::{
    Signature,
    build::{self, Compilation, Description, Files},
};
use std::{fs, path::PathBuf};

/// What is known of a program beside what it was compiled to.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// What the host sees of it.
    pub signature: &'a Signature,
    /// Its state.
    pub globals: &'a Arena<Global>,
    /// Its MLIR, with the place in the source of each operation.
    pub located: &'a str,
    /// The same for what multiplies matrices of `bf16`, if that is another module.
    pub located_bf16: Option<&'a str>,
}

impl<'a> About<'a> {
    /// The MLIR that is compiled for a target, with places.
    pub fn located_for(&self, request: &Request, target: &Target) -> &'a str {
        let with_bf16 = self.located_bf16.filter(|_| request.is_with_bf16(target));
        with_bf16.unwrap_or(self.located)
    }
}

/// Writes `target/iree/<package>/<program>.json`, a [`Description`], and `<program>.located.mlir`.
pub fn describe(
    request: &Request,
    compiled: &[Compiled],
    about: About<'_>,
    environment: &Environment,
) {
    let published = Published::new(environment.files(&request.name));
    published.update_located(about.located, about.located_bf16);
    let description = Description {
        program: request.name.clone(),
        package: environment.package.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        opt: request.preset.to_string(),
        flags: request.flags.iter().map(UserFlag::to_string).collect(),
        signature: about.signature.clone(),
        globals: about.globals.iter().map(|(_, it)| global(it)).collect(),
        artifacts: compiled
            .iter()
            .map(|artifact| compilation(artifact, environment, request))
            .collect(),
    };
    if let Ok(text) = serde_json::to_string_pretty(&description) {
        published.update_description(&format!("{text}\n"));
    }
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

fn compilation(artifact: &Compiled, environment: &Environment, request: &Request) -> Compilation {
    let files = environment.files(&request.name);
    let name = |file: &dyn Fn(&Files) -> PathBuf| {
        let path = files.as_ref().map(file).unwrap_or_default();
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let mut targets = request.targets.iter();
    let target = targets.find(|target| target.name == artifact.target);
    let is_with_bf16 = target.is_some_and(|target| request.is_with_bf16(target));
    Compilation {
        target: artifact.target.clone(),
        file: name(&|files| files.vmfb(&artifact.target)),
        module: name(&|files| match is_with_bf16 {
            true => files.located_bf16(),
            false => files.located(),
        }),
        bytes: fs::metadata(&artifact.vmfb).map_or(0, |file| file.len()),
        compiler: artifact.compiler.clone(),
        path: artifact.compiler_path.clone(),
        flags: artifact.flags.clone(),
    }
}
