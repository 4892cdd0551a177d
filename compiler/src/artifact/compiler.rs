//! The IREE compiler on this machine.

use super::{
    cache::Cache,
    failure::Failure,
    key::Key,
    process::{Child, Ending, Output},
};
use iree_abi::build::{self, COMPILER_VARIABLE, IREE_VERSION, is_right_version};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

/// How long the compiler may take to tell its version.
const VERSION_LIMIT: Duration = Duration::from_secs(60);

/// A compiler that has the right version.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    path: PathBuf,
    version: String,
    identity: String,
}

impl Compiler {
    /// Checks the version of a compiler. It is asked once and remembered until its files change.
    pub(super) fn check(path: Option<&Path>, cache: &Cache) -> Result<Self, Failure> {
        let path =
            path.ok_or_else(|| toolchain(format!("`iree-compile` {IREE_VERSION} was not found")))?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let unrunnable = |error| cannot_run(&path, &error);
        let files = describe_files(&path).map_err(unrunnable)?;
        let key = Key::of_compiler(&format!("{}\n{files}", path.display()));
        let version = cache.remember(&key, "the version of a compiler", || ask_version(&path))?;
        Ok(Self {
            identity: format!("{version}, {files}"),
            version,
            path,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its version.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// What tells this compiler from another that might make other artifacts. Where it lies does not
    /// matter.
    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    pub(super) fn cannot_run(&self, error: &io::Error) -> Failure {
        cannot_run(&self.path, error)
    }
}

/// Sizes and times of the files that make up a compiler: hashing them would take longer than a
/// compilation.
fn describe_files(path: &Path) -> io::Result<String> {
    let executable = fs::canonicalize(path)?;
    let mut description = describe_file(&executable)?;
    for part in ["libIREECompiler.so", "libIREECompiler.dylib", "iree-lld"] {
        if let Ok(part) = describe_file(&executable.with_file_name(part)) {
            description.push_str(", ");
            description.push_str(&part);
        }
    }
    Ok(description)
}

fn describe_file(path: &Path) -> io::Result<String> {
    let metadata = fs::metadata(path)?;
    let modified = metadata
        .modified()?
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(format!(
        "{name} of {} bytes from {}",
        metadata.len(),
        modified.as_nanos()
    ))
}

fn ask_version(path: &Path) -> Result<String, Failure> {
    let child = Child {
        program: path,
        arguments: &["--version".into()],
        directory: &env::temp_dir(),
        limit: VERSION_LIMIT,
    };
    let output = child.run().map_err(|error| cannot_run(path, &error))?;
    let version = version_in(&output).ok_or_else(|| {
        toolchain(format!(
            "`{}` does not tell its version as the IREE compiler does",
            path.display()
        ))
    })?;
    if is_right_version(version) {
        Ok(version.to_owned())
    } else {
        let path = path.display();
        Err(toolchain(format!(
            "`{path}` is version {version}, and {IREE_VERSION} is needed"
        )))
    }
}

fn version_in(output: &Output) -> Option<&str> {
    match output.ending {
        Ending::Success => build::version_in(&output.stdout),
        _ => None,
    }
}

fn cannot_run(path: &Path, error: &io::Error) -> Failure {
    toolchain(format!("`{}` cannot be run: {error}", path.display()))
}

fn toolchain(message: String) -> Failure {
    let checkout = build::checkout().display();
    Failure::Toolchain {
        message,
        help: format!(
            "run `./x setup` in {checkout}, or `pip install iree-base-compiler=={IREE_VERSION}` and name \
             its `iree-compile` in the variable {COMPILER_VARIABLE}"
        ),
    }
}
