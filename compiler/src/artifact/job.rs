//! One run of the IREE compiler.

use super::{
    Environment, Request, Target,
    cache::Cache,
    compiler::Compiler,
    failure::{Failure, Reproducer},
    files, flags,
    format::Format,
    key::{self, Key, Recipe},
    ladder::Rung,
    load, message, moved,
    process::{Child, Ending, Output},
    progress::Running,
};
use crate::machine::Machine;
use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

/// One target of a request.
#[derive(Clone)]
pub(super) struct Job<'a> {
    request: &'a Request,
    pub(super) target: &'a Target,
    environment: &'a Environment,
    compiler: &'a Compiler,
    pub(super) format: Format,
    /// Flags that replace others of their names.
    instead: &'static [&'static str],
    /// What the compiler reads in place of the module of the request.
    module: Option<String>,
    limit: Duration,
}

impl<'a> Job<'a> {
    /// The job to make bytecode.
    pub(super) fn new(
        request: &'a Request,
        target: &'a Target,
        environment: &'a Environment,
        compiler: &'a Compiler,
    ) -> Self {
        Self {
            request,
            target,
            environment,
            compiler,
            format: Format::Bytecode,
            instead: &[],
            module: None,
            limit: environment.time_limit,
        }
    }

    /// The same job, to make something else.
    pub(super) fn making(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// The same job, in another way.
    pub(super) fn by(self, rung: &Rung, module: Option<String>) -> Self {
        Self {
            instead: rung.flags,
            module,
            ..self
        }
    }

    /// The same job, for which there is so much time.
    pub(super) fn within(self, limit: Duration) -> Self {
        Self {
            limit: limit.min(self.limit),
            ..self
        }
    }

    /// The passes that the request leaves out.
    pub(super) fn without(&self) -> &BTreeSet<String> {
        &self.request.without
    }

    /// What the compiler reads.
    pub(super) fn module(&self) -> &str {
        let usual = || self.request.mlir.of(self.machine());
        self.module.as_deref().unwrap_or_else(usual)
    }

    /// What the program is lowered for.
    pub(super) fn machine(&self) -> Machine {
        self.format.on(self.target.machine())
    }

    /// The name of what it makes in the cache.
    pub(super) fn key(&self) -> Key {
        self.with_recipe(|recipe| recipe.key())
    }

    /// The path of what an earlier build has made.
    pub(super) fn made(&self, cache: &Cache) -> Option<PathBuf> {
        cache.find(&self.key(), self.format.file())
    }

    fn with_recipe<T>(&self, take: impl FnOnce(Recipe<'_>) -> T) -> T {
        take(Recipe {
            name: &self.request.name,
            mlir: self.module(),
            target: &self.target.name,
            flags: &self.flags(),
            compiler: self.compiler.identity(),
            host: &key::host(),
        })
    }

    /// The path of what it makes, which an earlier build may have made.
    pub(super) fn artifact(&self, cache: &Cache) -> Result<PathBuf, Failure> {
        let (key, description) = self.with_recipe(|recipe| (recipe.key(), recipe.description()));
        cache.obtain(
            &key,
            self.format.file(),
            &description,
            |directory, artifact| {
                let running =
                    Running::begin(self.request, self.target, self.format, self.environment);
                self.run(directory, artifact)?;
                running.finish();
                Ok(())
            },
        )
    }

    pub(super) fn flags(&self) -> Vec<String> {
        let flags = flags::all(self.target, self.request, self.format);
        let mut flags = flags::replaced(flags, self.instead);
        flags.extend(self.format.flag().map(str::to_owned));
        flags
    }

    /// The input is named relative to the directory that the compiler runs in, because the name is
    /// part of the artifact: the run-time's messages show it.
    fn arguments(&self, artifact: &Path) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = self.flags().into_iter().map(Into::into).collect();
        arguments.push(files::mlir_name(&self.request.name).into());
        arguments.push("-o".into());
        arguments.push(artifact.into());
        arguments
    }

    /// The compiler and its flags, for a shell.
    pub(super) fn command_line(&self) -> String {
        let compiler = self.compiler.path().display().to_string();
        let words = std::iter::once(compiler).chain(self.flags());
        words
            .map(|word| files::shell_word(&word))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Runs the compiler in a directory.
    pub(super) fn run(&self, directory: &Path, artifact: &Path) -> Result<(), Failure> {
        let input = directory.join(files::mlir_name(&self.request.name));
        files::write(&input, self.module().as_bytes())?;
        for (file, text) in self.request.changes.files() {
            files::write(&directory.join(file), text.as_bytes())?;
        }
        let child = Child {
            program: self.compiler.path(),
            arguments: &self.arguments(artifact),
            directory,
            limit: self.limit,
        };
        let output = child
            .run()
            .map_err(|error| self.compiler.cannot_run(&error))?;
        self.judge(output, artifact)
    }

    fn judge(&self, output: Output, artifact: &Path) -> Result<(), Failure> {
        let target = self.target.name.clone();
        let reproducer = Reproducer::default();
        if output.ending != Ending::Success && message::is_of_unknown_chip(&output.stderr) {
            // As users write it.
            let target = target.replacen('-', ":", 1);
            return Err(Failure::Chip { target });
        }
        match output.ending {
            Ending::Success if self.format.is_whole(artifact) => {
                if self.format == Format::C {
                    return Ok(());
                }
                let made = moved::mend(artifact)
                    .map_err(|error| Failure::files("mend what the compiler made", error))?;
                let reason = load::why_not(&made);
                let unloadable = |reason| Failure::Unloadable {
                    target,
                    reason,
                    reproducer,
                };
                reason.map(unloadable).map_or(Ok(()), Err)
            }
            Ending::Success => Err(Failure::NoArtifact {
                target,
                stderr: output.stderr,
                reproducer,
            }),
            Ending::Failure => Err(Failure::Refused {
                target,
                messages: message::parse(&output.stderr),
                reproducer,
            }),
            Ending::Signal(signal) => Err(Failure::Crashed {
                target,
                signal,
                stderr: output.stderr,
                reproducer,
            }),
            Ending::Interrupted => Err(Failure::Interrupted),
            Ending::TimedOut => Err(Failure::TimedOut {
                target,
                limit: self.limit,
                reproducer,
            }),
        }
    }
}
