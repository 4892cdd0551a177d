//! Files that do not outlive this process, whatever ends it.

use anyhow::{Context, Result};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The files that must go.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// What a process that Ctrl-C ends returns, as shells do.
const INTERRUPTED: i32 = 130;

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes Ctrl-C remove scratch files. Children that run are in the same process group, which gets it too.
pub(crate) fn sweep_on_interrupt() -> Result<()> {
    ctrlc::set_handler(|| {
        for file in files().iter() {
            // There is nothing left to do if it stays.
            let _ = fs::remove_file(file);
        }
        process::exit(INTERRUPTED);
    })
    .context("Ctrl-C cannot be handled")
}

/// A file that is removed at the end.
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
        // Held, so that a name is known to the handler as soon as there is a file.
        let mut files = files();
        let file = builder.prefix(".cargo-iree.").tempfile_in(directory)?;
        let path = file.into_temp_path().keep()?;
        files.insert(path.clone());
        Ok(Self(path))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        files().remove(&self.0);
    }
}
