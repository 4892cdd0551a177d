//! Locks of entries, which are files.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::Path,
};

/// A file that is locked. It is unlocked by name, not by being closed: a process that another thread starts
/// has a copy of each open file until it runs its program, and would hold the lock as long.
pub(super) struct Lock(File);

impl Lock {
    /// Waits for a lock, if files can be locked there.
    pub(super) fn wait(path: &Path) -> Option<Self> {
        loop {
            let file = open(path).ok()?;
            file.lock().ok()?;
            let lock = Self(file);
            if !lock.is_removed() {
                return Some(lock);
            }
        }
    }

    /// Takes a lock that nobody holds.
    pub(super) fn take(path: &Path) -> io::Result<Self> {
        let file = open(path)?;
        file.try_lock()?;
        Ok(Self(file))
    }

    /// Removes the file. Who waits for it finds that it locks nothing any more.
    pub(super) fn remove(mut self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)?;
        self.0.write_all(b"removed")
    }

    fn is_removed(&self) -> bool {
        self.0.metadata().is_ok_and(|file| file.len() > 0)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file unlocks it too, only perhaps later.
        let _ = self.0.unlock();
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true).open(path)
}
