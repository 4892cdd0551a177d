//! The stage that turns MLIR text into VMFBs on disk.
//!
//! `iree-compile` runs as a child process, so that a crash or a hang of it cannot take `rustc` along.
//! What it may read is in a [`Request`]; where things are on this machine is in an [`Environment`].
//! The hash of the request, the compiler and the host names an entry of a cache in the target
//! directory, and the path of that entry is what the user's binary embeds:
//!
//! ```text
//! target/iree/.cache/<hash>/artifact.vmfb     embedded; never changes
//! target/iree/.cache/<hash>/description.json  named by what embeds the artifacts, as a file that it was made from
//! target/iree/<package>/<program>.mlir        for people
//! target/iree/<package>/<program>.located.mlir  the same, with places in the source; also `.bf16.located.mlir`
//! target/iree/<package>/<program>.<target>.vmfb
//! target/iree/<package>/<program>.<target>.{h,c}  if C is wanted
//! target/iree/<package>/<program>.json         the procedures, targets, flags, versions and sizes
//! ```
//!
//! The cache makes a build faster, never different: an entry that is damaged is made again, and where
//! the target directory cannot be written the artifacts go to a temporary one.

mod cache;
mod compiler;
mod constants;
mod description;
mod environment;
mod failure;
mod files;
mod flags;
mod format;
mod job;
mod jobs;
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
mod target_directory;
mod variables;
pub mod vendored;

#[cfg(all(test, unix))]
mod tests;

pub use description::{About, Located, describe};
pub use environment::Environment;
pub use failure::{Failure, Reproducer};
pub use flags::{UserFlag, WATCHED, around_message};
pub use jobs::Jobs;
pub use message::{Message, Severity};
pub use plan::Plan;
pub use products::multiplies_bf16;
pub use request::Request;
pub use rustc::Invocation;
pub use settings::{Origin, Settings, TARGETS_VARIABLE};
pub use target::{Chosen, Cpu, Target};
pub use variables::Misread;

use cache::Cache;
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
    /// The MLIR text of the program, at a path that its content decides. What multiplies matrices of `bf16` is
    /// compiled from another one.
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
    schedule::in_parallel(&environment.jobs, &request.targets, |target| {
        let mut job = Job::new(request, target, environment, &compiler);
        let obtain = |job: &mut Job<'_>| {
            let result = job.attempt(|job| job.artifact(&artifacts));
            result.map_err(|failure| failure.with_reproducer(|| published.keep_reproducer(job)))
        };
        let vmfb = obtain(&mut job)?;
        for emit in &request.emit {
            let format = Format::from(*emit);
            published.update_c(target, &obtain(&mut job.making(format))?);
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
        mlir: mlir_with_locations.to_owned(),
        mlir_bf16: None,
        ..request.clone()
    };
    let versions = Cache::new(environment.cache_directory());
    let Ok(compiler) = Compiler::check(environment.compiler.as_deref(), &versions) else {
        return Vec::new();
    };
    let Ok(directory) = Cache::new(None).work_directory("diagnostics") else {
        return Vec::new();
    };
    let mut job = Job::new(&request, target, environment, &compiler);
    let artifact = directory.path().join("artifact.vmfb");
    match job.attempt(|job| job.run(directory.path(), &artifact)) {
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
