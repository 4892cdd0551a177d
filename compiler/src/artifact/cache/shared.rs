//! A cache that target directories share, of a limited size.
//!
//! What was used least recently goes first; the time of the manifest says when an entry was used. An entry
//! disappears by the renaming of its directory, so that no one sees a part of it. Whoever takes a file
//! from here copies it, since it may be gone the next moment.

use super::{Cache, Entry, MANIFEST, header, lock::Lock, made_in};
use crate::artifact::{failure::Failure, key::Key};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

#[derive(Clone, Debug)]
pub(super) struct Shared {
    root: PathBuf,
    /// In bytes.
    limit: u64,
}

impl Shared {
    pub(super) fn new(root: PathBuf, limit: u64) -> Self {
        Self { root, limit }
    }

    /// The file of an entry, if there is a whole one.
    pub(super) fn find(&self, key: &Key, file: &str) -> Option<PathBuf> {
        Cache::new(Some(self.root.clone())).find(key, file)
    }

    /// Leaves the file of an entry at `path`. If there is no whole one, it is made, which must leave
    /// it at the path that it is given.
    pub(super) fn supply(
        &self,
        key: &Key,
        file: &str,
        description: &[(&str, String)],
        work: &Path,
        path: &Path,
        make: impl Fn(&Path, &Path) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let cache = Cache::new(Some(self.root.clone()));
        let mut made = false;
        let entry = cache.find_or_make(key, file, description, |work, path| {
            made = true;
            make(work, path)
        })?;
        let copied = match &entry {
            Entry::Stored(stored) => self.copy(key, file, stored, path),
            Entry::Loose(loose, _) => fs::copy(made_in(loose.path()).join(file), path).map(drop),
        };
        if made {
            self.shrink(key);
        }
        // Another build may have made room in the meantime.
        copied.or_else(|_| make(work, path))
    }

    fn copy(&self, key: &Key, file: &str, stored: &Path, path: &Path) -> io::Result<()> {
        fs::copy(stored, path)?;
        let manifest = stored.with_file_name(MANIFEST);
        let text = fs::read_to_string(&manifest)?;
        if !text.starts_with(&header(key, file, path)?) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        // Where this fails, the entry goes earlier than it should.
        let manifest = File::options().append(true).open(manifest);
        let _ = manifest.and_then(|manifest| manifest.set_modified(SystemTime::now()));
        Ok(())
    }

    /// Removes what was used least recently until the rest is small enough. What was just made stays.
    fn shrink(&self, newest: &Key) {
        let Ok(lock) = Lock::take(&self.root.join("locks/shrink")) else {
            // Another build is at it.
            return;
        };
        let mut entries = self.entries();
        entries.sort_by_key(|entry| entry.used);
        let mut total: u64 = entries.iter().map(|entry| entry.bytes).sum();
        let newest = newest.to_string();
        for entry in entries.iter().filter(|entry| entry.name != newest) {
            if total <= self.limit {
                break;
            }
            if self.remove(&entry.name).is_ok() {
                total = total.saturating_sub(entry.bytes);
            }
        }
        drop(lock);
    }

    fn entries(&self) -> Vec<Listed> {
        let directories = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let entries = directories.filter_map(|directory| {
            let used = fs::metadata(directory.path().join(MANIFEST))
                .ok()?
                .modified();
            let files = fs::read_dir(directory.path()).ok()?.flatten();
            let sizes = files.filter_map(|file| Some(file.metadata().ok()?.len()));
            Some(Listed {
                name: directory.file_name().to_string_lossy().into_owned(),
                used: used.ok()?,
                bytes: sizes.sum(),
            })
        });
        entries.collect()
    }

    /// Removes an entry, unless somebody makes it just now.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        let lock = self.root.join("locks").join(name);
        let held = Lock::take(&lock)?;
        let cache = Cache::new(Some(self.root.clone()));
        let work = cache.work_directory("removed")?;
        fs::rename(self.root.join(name), work.path().join("entry"))?;
        held.remove(&lock)
    }
}

/// An entry, as far as it matters for its removal.
struct Listed {
    name: String,
    used: SystemTime,
    bytes: u64,
}
