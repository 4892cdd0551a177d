//! IREE's own tools.

use crate::advice::Advice;
use anyhow::{Context, Result};
use iree_abi::build::{self, COMPILER_VARIABLE, IREE_VERSION, is_right_version};
use std::{
    ffi::OsStr,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
};

/// What to do where the IREE compiler is missing.
pub(crate) fn cure() -> String {
    format!(
        "`pip install iree-base-compiler=={IREE_VERSION}`, or run `./x setup` in {}, or name its \
         `iree-compile` in the variable {COMPILER_VARIABLE}",
        build::checkout().display()
    )
}

/// The IREE compiler.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    path: PathBuf,
}

impl Compiler {
    /// The one that a build used, if it is still there, else the one that a build would use.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(crate) fn find(used: Option<&Path>) -> Result<Self> {
        let used = used.filter(|path| path.is_file()).map(Path::to_owned);
        match used.or_else(build::find_compiler) {
            Some(path) => Ok(Self { path }),
            None => Err(Advice::error("`iree-compile` was not found", cure())),
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Its version, which must be the one that everything here is made for.
    ///
    /// # Errors
    ///
    /// If it does not run, or is another version.
    pub(crate) fn version(&self) -> Result<String> {
        let output = self.run(["--version"])?;
        let version = build::version_in(&output).unwrap_or("unknown").to_owned();
        match is_right_version(&version) {
            true => Ok(version),
            false => Err(Advice::error(
                format!("`{}` is version {version}", self.path.display()),
                format!("version {IREE_VERSION} is needed: {}", cure()),
            )),
        }
    }

    /// Reads what it prints on standard error, for as long as it runs, and how it ended; what it prints else is lost.
    ///
    /// # Errors
    ///
    /// If it does not run.
    pub(crate) fn read<S: AsRef<OsStr>, T>(
        &self,
        arguments: impl IntoIterator<Item = S>,
        read: impl FnOnce(&mut dyn BufRead) -> io::Result<T>,
    ) -> Result<(T, ExitStatus)> {
        let cannot = || format!("`{}` cannot be run", self.path.display());
        let mut process = Command::new(&self.path)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(cannot)?;
        let printed = process.stderr.take().with_context(cannot)?;
        let result = read(&mut BufReader::new(printed));
        let status = process.wait().with_context(cannot)?;
        Ok((result.with_context(cannot)?, status))
    }

    /// What it prints.
    ///
    /// # Errors
    ///
    /// If it does not run, or fails; then with what it says.
    pub(crate) fn run<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Result<String> {
        let output = Command::new(&self.path)
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("`{}` cannot be run", self.path.display()))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => anyhow::bail!(
                "`{}` failed: {}",
                self.path.display(),
                String::from_utf8_lossy(&output.stderr).trim()
            ),
        }
    }
}
