//! The stage that turns MLIR text into VMFBs on disk.
//!
//! `iree-compile` runs as a child process, so that a crash or a hang of it cannot take `rustc` along.
//! What it may read is in a [`Request`]; where things are on this machine is in an [`Environment`].
//! The hash of the request, the compiler and the host names an entry of a cache in the target
//! directory, and the path of that entry is what the user's binary embeds:
//!
//! ```text
//! target/iree/.cache/<hash>/artifact.vmfb     embedded; never changes
//! target/iree/.cache/<hash>/program.ir       embedded for the interpreter, if that is wanted
//! target/iree/.cache/<hash>/description.json  named by what embeds the artifacts, as a file that it was made from
//! target/iree/<package>/<program>.mlir        for people
//! target/iree/<package>/<program>.located.mlir  the same, with places in the source; also `.<machines>.located.mlir`
//! target/iree/<package>/<program>.legalized.ir  what it was before it was lowered, with places too
//! target/iree/<package>/<program>.<target>.vmfb
//! target/iree/<package>/<program>.<target>.{h,c}  if C is wanted
//! target/iree/<package>/<program>.json         the procedures, targets, flags, versions and sizes
//! ```
//!
//! The cache makes a build faster, never different: an entry that is damaged is made again, and where
//! the target directory cannot be written the artifacts go to a temporary one.

mod cache;
mod climb;
mod compiler;
mod description;
mod dispatches;
mod environment;
mod failure;
mod files;
mod flags;
mod format;
mod job;
mod jobs;
mod key;
mod ladder;
mod load;
mod message;
mod moved;
mod plan;
mod process;
mod products;
mod progress;
mod request;
mod rustc;
mod schedule;
mod settings;
mod target;
mod target_directory;
mod text;
mod variables;
pub mod vendored;
mod versions;

#[cfg(all(test, unix))]
mod tests;

pub use description::{About, Legalized, describe};
pub use dispatches::Changes;
pub use environment::Environment;
pub use failure::{Failure, Reproducer};
pub use flags::{COMMON, QUEUED, UserFlag, WATCHED};
pub use jobs::Jobs;
pub use ladder::{Fallback, NoWays, Place, Way, Ways};
pub use message::{Message, Severity};
pub use plan::Plan;
pub use products::multiplies_bf16;
pub use request::Request;
pub use rustc::Invocation;
pub use settings::{Origin, Settings, TARGETS_VARIABLE};
pub use target::{Chosen, Cpu, Target};
pub use text::store_text;
pub use variables::Misread;
pub use versions::Versions;

use crate::ast::Emit;
use cache::Cache;
use climb::{Climb, Outcome};
use compiler::Compiler;
use files::Published;
use format::Format;
use job::Job;
use key::Key;
use std::path::PathBuf;

/// A program compiled for one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// What it was compiled for: `cpu-x86-64-v3`.
    pub target: String,
    /// The VMFB, at a path that its content decides.
    pub vmfb: PathBuf,
    /// The MLIR text of the program, at a path that its content decides. Some targets
    /// are compiled from another one, see [`Versions`].
    pub mlir: PathBuf,
    /// The flags that it was compiled with.
    pub flags: Vec<String>,
    /// The version of the compiler.
    pub compiler: String,
    /// Where the compiler is.
    pub compiler_path: PathBuf,
    /// Why it is not compiled as it should be.
    pub fallback: Option<Fallback>,
    /// The script that shows again how the compiler failed before.
    pub reproducer: Reproducer,
}

/// Compiles a program for each of its targets, in parallel, or finds what an earlier build compiled. Where the compiler
/// fails, it is tried in other ways, and what is made says so.
///
/// # Errors
///
/// A [`Failure`] if the compiler is missing, or does not accept the program, crashes or hangs in all ways.
pub fn compile(
    request: &Request,
    ways: &dyn Ways,
    environment: &Environment,
) -> Result<Vec<Compiled>, Failure> {
    flags::check(&request.flags)?;
    let cache = Cache::new(environment.cache_directory());
    let compiler = Compiler::check(environment.compiler.as_deref(), &cache)?;
    let shared = environment.shared_cache.clone();
    let artifacts = cache
        .clone()
        .backed_by(shared, environment.shared_cache_limit);
    let published = Published::new(environment.files(&request.name));
    let mlir = store_mlir(&request.mlir.usual, &cache)?;
    published.update_mlir(&mlir);
    for (file, text) in request.changes.files() {
        published.update_beside(&file, text);
    }
    let mut climb = Climb {
        ways,
        cache: &artifacts,
        hint: None,
        limit: environment.time_limit,
    };
    let begun = schedule::in_parallel(&environment.jobs, &request.targets, |target| {
        let usual = Job::new(request, target, environment, &compiler);
        begin(usual, &request.emit, &artifacts)
    })?;
    let mut compiled = Vec::new();
    for (job, outcome) in begun.into_iter().flatten() {
        let keep = || published.keep_reproducer(&job);
        let made = climb.finish(&job, outcome);
        let made = made.map_err(|failure| failure.with_reproducer(keep))?;
        if job.format == Format::C {
            published.update_c(job.target, &made.artifact);
            continue;
        }
        published.update_vmfb(job.target, &made.artifact);
        compiled.push(Compiled {
            target: job.target.name.clone(),
            vmfb: made.artifact,
            mlir: mlir.clone(),
            flags: made.job.flags(),
            compiler: compiler.version().to_owned(),
            compiler_path: compiler.path().to_owned(),
            reproducer: Reproducer(made.fallback.as_ref().and_then(|_| keep())),
            fallback: made.fallback,
        });
    }
    Ok(compiled)
}

/// Does a job as it should be done, in each form that is wanted.
fn begin<'a>(
    usual: Job<'a>,
    emit: &[Emit],
    cache: &Cache,
) -> Result<Vec<(Job<'a>, Outcome)>, Failure> {
    let begun = Format::all(emit).map(|format| {
        let job = usual.clone().making(format);
        climb::begin(&job, cache).map(|outcome| (job, outcome))
    });
    begun.collect()
}

/// Compiles text with locations for a target, to learn where in the user's source the compiler's messages
/// belong.
///
/// Nothing is cached. The result is empty if the compiler has no messages about this text.
pub fn compile_for_diagnostics(
    request: &Request,
    target: &Target,
    mlir_with_locations: &str,
    environment: &Environment,
) -> Vec<Message> {
    let request = Request {
        mlir: mlir_with_locations.to_owned().into(),
        ..request.clone()
    };
    let versions = Cache::new(environment.cache_directory());
    let Ok(compiler) = Compiler::check(environment.compiler.as_deref(), &versions) else {
        return Vec::new();
    };
    let Ok(directory) = Cache::new(None).work_directory("diagnostics") else {
        return Vec::new();
    };
    let job = Job::new(&request, target, environment, &compiler);
    let artifact = directory.path().join("artifact.vmfb");
    match job.run(directory.path(), &artifact) {
        Err(Failure::Refused { messages, .. }) => messages,
        _ => Vec::new(),
    }
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
