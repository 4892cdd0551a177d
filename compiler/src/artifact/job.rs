//! One run of the IREE compiler.

use super::{
    Environment, Request, Target,
    cache::Cache,
    compiler::Compiler,
    constants,
    failure::{Failure, Reproducer},
    files, flags,
    format::Format,
    key::{self, Recipe},
    message::{self, Message, Severity},
    process::{Child, Ending, Output},
    progress::Running,
};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// One target of a request.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    request: &'a Request,
    pub(super) target: &'a Target,
    environment: &'a Environment,
    compiler: &'a Compiler,
    format: Format,
    /// A flag that gets the compiler past a mistake of its own.
    around: Option<&'static str>,
}

impl<'a> Job<'a> {
    /// The job to make bytecode.
    pub(super) const fn new(
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
            around: None,
        }
    }

    /// The same job, to make something else.
    pub(super) const fn making(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// Does something with the job. If the compiler fails for a mistake of its own, the job becomes one that
    /// gets past it.
    pub(super) fn attempt<T>(
        &mut self,
        run: impl Fn(&Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let result = run(self);
        let around = result.as_ref().err().and_then(flags::around);
        if around.is_none() || self.around.is_some() {
            return result;
        }
        self.around = around;
        run(self)
    }

    /// What the compiler reads.
    pub(super) fn module(&self) -> &str {
        self.request.mlir_for(self.target)
    }

    /// The path of what it makes, which an earlier build may have made.
    pub(super) fn artifact(&self, cache: &Cache) -> Result<PathBuf, Failure> {
        let recipe = Recipe {
            name: &self.request.name,
            mlir: self.module(),
            target: &self.target.name,
            flags: &self.flags(),
            compiler: self.compiler.identity(),
            host: &key::host(),
        };
        let description = recipe.description();
        cache.obtain(
            &recipe.key(),
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
        let more = self.around.into_iter().chain(self.format.flag());
        flags.into_iter().chain(more.map(str::to_owned)).collect()
    }

    /// The input is named relative to the directory that the compiler runs in, because the name is
    /// part of the artifact: the run-time's messages show it.
    fn arguments(&self, more: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
        let flags = self.flags().into_iter().map(Into::into);
        let input = files::mlir_name(&self.request.name).into();
        flags.chain([input]).chain(more).collect()
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
        let is_counted =
            constants::may_be_many(self.module()) && !constants::are_counted(&self.flags());
        let counting = is_counted.then(constants::counting).into_iter().flatten();
        let output = ["-o".into(), artifact.into()];
        let arguments = self.arguments(counting.chain(output));
        self.judge(self.child(directory, &arguments)?, artifact)?;
        match is_counted && constants::are_suspicious(directory) {
            true => self.count_constants(directory),
            false => Ok(()),
        }
    }

    fn child(&self, directory: &Path, arguments: &[OsString]) -> Result<Output, Failure> {
        let child = Child {
            program: self.compiler.path(),
            arguments,
            directory,
            limit: self.environment.time_limit,
        };
        child
            .run()
            .map_err(|error| self.compiler.cannot_run(&error))
    }

    /// Refuses what the compiler accepts and no device loads.
    fn count_constants(&self, directory: &Path) -> Result<(), Failure> {
        self.child(directory, &self.arguments(constants::sources()))?;
        let (count, most) = (constants::most(directory), constants::MOST);
        if count <= most {
            return Ok(());
        }
        let text = format!(
            "a dispatch is told {count} numbers, such as sizes, and devices load none with more than {most}"
        );
        Err(Failure::Refused {
            target: self.target.name.clone(),
            messages: vec![Message {
                location: None,
                severity: Severity::Error,
                text,
            }],
            reproducer: Reproducer::default(),
        })
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
            Ending::Success if self.format.is_whole(artifact) => Ok(()),
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
                limit: self.environment.time_limit,
                reproducer,
            }),
        }
    }
}
