//! The IREE compiler on this machine.

use super::{
    cache::Cache,
    failure::Failure,
    key::Key,
    process::{Child, Ending, Output},
};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

/// The version whose input and whose runtime the rest of this workspace is made for.
pub(super) const VERSION: &str = "3.13.0";

/// Names the compiler to use.
pub(super) const VARIABLE: &str = "IREE_COMPILE";

const EXECUTABLE: &str = if cfg!(windows) {
    "iree-compile.exe"
} else {
    "iree-compile"
};

/// How long the compiler may take to tell its version.
const VERSION_LIMIT: Duration = Duration::from_secs(60);

/// The compiler to use: the one that `IREE_COMPILE` names, or the one that `./x setup` installed in
/// the checkout that this crate was built from, or the first on `PATH`.
pub(super) fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        return Some(named.into());
    }
    let installed = checkout().join(".tools/bin").join(EXECUTABLE);
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|directory| directory.join(EXECUTABLE));
    std::iter::once(installed)
        .chain(on_path)
        .find(|candidate| candidate.is_file())
}

fn checkout() -> &'static Path {
    let crate_directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_directory.parent().unwrap_or(crate_directory)
}

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
            path.ok_or_else(|| toolchain(format!("`iree-compile` {VERSION} was not found")))?;
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
    if is_right(version) {
        Ok(version.to_owned())
    } else {
        let path = path.display();
        Err(toolchain(format!(
            "`{path}` is version {version}, and {VERSION} is needed"
        )))
    }
}

fn version_in(output: &Output) -> Option<&str> {
    let answered = output.ending == Ending::Success;
    let mut lines = output.stdout.lines().filter(|_| answered);
    lines.find_map(|line| line.trim().strip_prefix("IREE compiler version "))
}

/// Whether a version is ours; the release carries its candidate's date: `3.13.0rc20261016 @ 89ece87`.
fn is_right(version: &str) -> bool {
    let rest = version.strip_prefix(VERSION);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
}

fn cannot_run(path: &Path, error: &io::Error) -> Failure {
    toolchain(format!("`{}` cannot be run: {error}", path.display()))
}

fn toolchain(message: String) -> Failure {
    let checkout = checkout().display();
    Failure::Toolchain {
        message,
        help: format!(
            "run `./x setup` in {checkout}, or `pip install iree-base-compiler=={VERSION}` and name \
             its `iree-compile` in the variable {VARIABLE}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_and_its_candidates_are_right() {
        for version in ["3.13.0", "3.13.0rc20261016 @ 89ece87", "3.13.0+local"] {
            assert!(is_right(version), "{version}");
        }
        for version in ["3.13.01", "3.13.0.1", "3.12.0", "13.13.0", ""] {
            assert!(!is_right(version), "{version}");
        }
    }
}
