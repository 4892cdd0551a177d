//! The stage that turns MLIR text into VMFBs on disk.
//!
//! `iree-compile` runs as a child process, so that a crash or a hang of it cannot take `rustc` along.
//! What it may read is in a [`Request`]; where things are on this machine is in an [`Environment`].
//! The hash of the request, the compiler and the host names an entry of a cache in the target
//! directory, and the path of that entry is what the user's binary embeds:
//!
//! ```text
//! target/iree/.cache/<hash>/artifact.vmfb     embedded; never changes
//! target/iree/<package>/<program>.mlir        for people
//! target/iree/<package>/<program>.located.mlir  the same, with places in the source
//! target/iree/<package>/<program>.<target>.vmfb
//! target/iree/<package>/<program>.<target>.{h,c}  if C is wanted
//! target/iree/<package>/<program>.json         the procedures, targets, flags, versions and sizes
//! ```
//!
//! The cache makes a build faster, never different: an entry that is damaged is made again, and where
//! the target directory cannot be written the artifacts go to a temporary one.

mod cache;
mod compiler;
mod description;
mod environment;
mod failure;
mod files;
mod flags;
mod format;
mod key;
mod message;
mod plan;
mod process;
mod products;
mod progress;
mod request;
mod rustc;
mod schedule;
mod settings;
mod target;
mod variables;
pub mod vendored;

#[cfg(all(test, unix))]
mod tests;

pub use description::{About, describe};
pub use environment::Environment;
pub use failure::{Failure, Reproducer};
pub use flags::UserFlag;
pub use message::{Message, Severity};
pub use plan::Plan;
pub use products::multiplies_bf16;
pub use request::Request;
pub use rustc::Invocation;
pub use settings::{Origin, Settings, TARGETS_VARIABLE};
pub use target::{Chosen, Cpu, Target};

use cache::Cache;
use compiler::Compiler;
use files::Published;
use format::Format;
use key::{Key, Recipe};
use process::{Child, Ending, Output};
use progress::Running;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// A program compiled for one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// What it was compiled for: `cpu-x86-64-v3`.
    pub target: String,
    /// The VMFB, at a path that its content decides.
    pub vmfb: PathBuf,
    /// The MLIR text that it was compiled from, at a path that its content decides.
    pub mlir: PathBuf,
    /// The flags that it was compiled with.
    pub flags: Vec<String>,
    /// The version of the compiler.
    pub compiler: String,
    /// Where the compiler is.
    pub compiler_path: PathBuf,
}

/// Compiles a program for each of its targets, in parallel, or finds what an earlier build compiled.
///
/// # Errors
///
/// A [`Failure`] if the compiler is missing, does not accept the program, crashes or hangs.
pub fn compile(request: &Request, environment: &Environment) -> Result<Vec<Compiled>, Failure> {
    flags::check(&request.flags)?;
    let cache = Cache::new(environment.cache_directory());
    let compiler = Compiler::check(environment.compiler.as_deref(), &cache)?;
    let shared = environment.shared_cache.clone();
    let artifacts = cache
        .clone()
        .backed_by(shared, environment.shared_cache_limit);
    let published = Published::new(environment.files(&request.name));
    let mlir = store_mlir(&request.mlir, &cache)?;
    published.update_mlir(&mlir);
    schedule::in_parallel(environment.jobs, &request.targets, |target| {
        let job = Job {
            request,
            target,
            environment,
            compiler: &compiler,
            format: Format::Bytecode,
        };
        let obtain = |job: Job<'_>| {
            job.artifact(&artifacts).map_err(|failure| {
                let command_line = job.command_line();
                failure.with_reproducer(|| published.keep_reproducer(&mlir, target, &command_line))
            })
        };
        let vmfb = obtain(job)?;
        for emit in &request.emit {
            let format = Format::from(*emit);
            published.update_c(target, &obtain(Job { format, ..job })?);
        }
        published.update_vmfb(target, &vmfb);
        Ok(Compiled {
            target: target.name.clone(),
            vmfb,
            mlir: mlir.clone(),
            flags: job.flags(),
            compiler: compiler.version().to_owned(),
            compiler_path: compiler.path().to_owned(),
        })
    })
}

/// Compiles text with locations, to learn where in the user's source the compiler's messages belong.
///
/// Nothing is cached. The result is empty if the compiler has no messages about this text.
pub fn compile_for_diagnostics(
    request: &Request,
    mlir_with_locations: &str,
    environment: &Environment,
) -> Vec<Message> {
    let cache = Cache::new(None);
    let request = Request {
        mlir: mlir_with_locations.to_owned(),
        mlir_bf16: None,
        ..request.clone()
    };
    let Ok(compiler) = Compiler::check(
        environment.compiler.as_deref(),
        &Cache::new(environment.cache_directory()),
    ) else {
        return Vec::new();
    };
    let refused = request.targets.iter().find_map(|target| {
        let job = Job {
            request: &request,
            target,
            environment,
            compiler: &compiler,
            format: Format::Bytecode,
        };
        let directory = cache.work_directory("diagnostics").ok()?;
        match job.run(directory.path(), &directory.path().join("artifact.vmfb")) {
            Err(Failure::Refused { messages, .. }) => Some(messages),
            _ => None,
        }
    });
    refused.unwrap_or_default()
}

fn store_mlir(text: &str, cache: &Cache) -> Result<PathBuf, Failure> {
    let description = [("content", "MLIR".to_owned())];
    cache.obtain(
        &Key::of_mlir(text),
        "program.mlir",
        &description,
        |_, path| files::write(path, text.as_bytes()),
    )
}

/// One target of a request.
#[derive(Clone, Copy)]
struct Job<'a> {
    request: &'a Request,
    target: &'a Target,
    environment: &'a Environment,
    compiler: &'a Compiler,
    format: Format,
}

impl Job<'_> {
    fn artifact(&self, cache: &Cache) -> Result<PathBuf, Failure> {
        let recipe = Recipe {
            name: &self.request.name,
            mlir: self.request.mlir_for(self.target),
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
                let _running = Running::begin(self.request, self.target, self.environment);
                self.run(directory, artifact)
            },
        )
    }

    fn flags(&self) -> Vec<String> {
        let flags = flags::all(self.target, self.request);
        let format = self.format.flag().map(str::to_owned);
        flags.into_iter().chain(format).collect()
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

    fn command_line(&self) -> String {
        let compiler = self.compiler.path().display().to_string();
        let words = std::iter::once(compiler).chain(self.flags());
        words
            .map(|word| files::shell_word(&word))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Runs the compiler in a directory.
    fn run(&self, directory: &Path, artifact: &Path) -> Result<(), Failure> {
        let input = directory.join(files::mlir_name(&self.request.name));
        files::write(&input, self.request.mlir_for(self.target).as_bytes())?;
        let child = Child {
            program: self.compiler.path(),
            arguments: &self.arguments(artifact),
            directory,
            limit: self.environment.time_limit,
        };
        let output = child
            .run()
            .map_err(|error| self.compiler.cannot_run(&error))?;
        self.judge(output, artifact)
    }

    fn judge(&self, output: Output, artifact: &Path) -> Result<(), Failure> {
        let target = self.target.name.clone();
        let reproducer = Reproducer::default();
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
            Ending::TimedOut => Err(Failure::TimedOut {
                target,
                limit: self.environment.time_limit,
                reproducer,
            }),
        }
    }
}
