//! Files and folders that do not outlive this process, and files that are whole or not there, whatever ends it.

use anyhow::{Context, Result};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What must go.
static PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// What a process that Ctrl-C ends returns, as shells do.
const INTERRUPTED: i32 = 130;

fn paths() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// There is nothing left to do about what stays.
fn remove(path: &Path) {
    let _ = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
}

/// Makes Ctrl-C remove what is scratch. Children that run are in the same process group, which gets it too.
pub(crate) fn sweep_on_interrupt() -> Result<()> {
    ctrlc::set_handler(|| {
        paths().iter().for_each(|path| remove(path));
        process::exit(INTERRUPTED);
    })
    .context("Ctrl-C cannot be handled")
}

/// A file or a folder that is removed at the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// An empty file in a directory.
    pub(crate) fn create_in(directory: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // As any file that a tool leaves; the default is private.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        Self::known(|| {
            let file = builder.prefix(".cargo-iree.").tempfile_in(directory)?;
            Ok(file.into_temp_path().keep()?)
        })
    }

    /// An empty folder in a directory, with a name of its own.
    pub(crate) fn folder_in(directory: &Path, prefix: &str) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        Self::known(|| Ok(builder.prefix(prefix).tempdir_in(directory)?.keep()))
    }

    /// Something whose name the handler knows as soon as it is there.
    fn known(make: impl FnOnce() -> io::Result<PathBuf>) -> io::Result<Self> {
        let mut paths = paths();
        let path = make()?;
        paths.insert(path.clone());
        Ok(Self(path))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Gives it a name, at which it stays.
    fn keep_as(self, path: &Path) -> io::Result<()> {
        fs::rename(&self.0, path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.0);
        paths().remove(&self.0);
    }
}

/// Has a file written that is whole at every moment.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let scratch = Scratch::create_in(parent.unwrap_or(Path::new(".")));
    let written = || {
        let scratch = scratch?;
        write(scratch.path())?;
        Ok(scratch.keep_as(path)?)
    };
    let written: Result<()> = written();
    written.with_context(|| format!("cannot write `{}`", path.display()))
}

/// Writes a file that is whole at every moment.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    replace(path, |path| Ok(fs::write(path, content)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        for content in ["one", "two"] {
            write_whole(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert!(write_whole(&directory.path().join("none/out"), b"").is_err());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
