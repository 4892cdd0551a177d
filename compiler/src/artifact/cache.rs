//! A directory of files that are named by what they were made from.
//!
//! ```text
//! .cache/<key>/<file>         what was made
//! .cache/<key>/manifest       what it is, with its size and hash
//! .cache/locks/<key>          held while it is being made
//! .cache/work/<key>.<random>  where it is being made
//! ```
//!
//! An entry appears by the renaming of a directory, so it is whole or not there. One that does not
//! agree with its manifest is made again. The operating system releases the lock of a process that
//! ends in whatever way; the next holder of the lock sweeps up what that process left.

mod lock;
mod shared;
#[cfg(test)]
mod tests;

use super::{
    failure::Failure,
    files,
    key::{self, Key},
};
use lock::Lock;
use shared::Shared;
use std::{
    fmt::Write as _,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};
use tempfile::TempDir;

const MANIFEST: &str = "manifest";

/// Finds files, or has them made.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    root: Option<PathBuf>,
    shared: Option<Shared>,
}

impl Cache {
    /// A cache in a directory, which need not exist. Without one, everything is made anew.
    pub(super) fn new(root: Option<PathBuf>) -> Self {
        Self { root, shared: None }
    }

    /// Has files made in a cache that target directories share, if there is one. A file of this cache is
    /// a copy, which stays when the other one forgets it.
    pub(super) fn backed_by(self, directory: Option<PathBuf>, limit: u64) -> Self {
        let shared = directory.map(|directory| Shared::new(directory, limit));
        Self { shared, ..self }
    }

    /// The path of the file of an entry. If there is no whole one, `make` is given a directory to work
    /// in and the path at which to leave the file.
    ///
    /// Whatever keeps the entry from being stored, the file is still made, in a temporary directory
    /// that stays.
    pub(super) fn obtain(
        &self,
        key: &Key,
        file: &str,
        description: &[(&str, String)],
        make: impl Fn(&Path, &Path) -> Result<(), Failure>,
    ) -> Result<PathBuf, Failure> {
        let make = |work: &Path, path: &Path| match &self.shared {
            Some(shared) => shared.supply(key, file, description, work, path, &make),
            None => make(work, path),
        };
        Ok(match self.find_or_make(key, file, description, make)? {
            Entry::Stored(path) => path,
            Entry::Loose(work, lock) => {
                // Until this process ends, so that no other one sweeps the file up before it is read.
                std::mem::forget(lock);
                made_in(&work.keep()).join(file)
            }
        })
    }

    /// A text that is made once; nothing of it stays where it cannot be stored.
    pub(super) fn remember(
        &self,
        key: &Key,
        content: &str,
        make: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<String, Failure> {
        let file = "text";
        let description = [("content", content.to_owned())];
        let entry = self.find_or_make(key, file, &description, |_, path| {
            files::write(path, make()?.as_bytes())
        })?;
        let path = match &entry {
            Entry::Stored(path) => path.clone(),
            Entry::Loose(work, _) => made_in(work.path()).join(file),
        };
        fs::read_to_string(&path)
            .map_err(|error| Failure::files(format!("read `{}`", path.display()), error))
    }

    fn find_or_make(
        &self,
        key: &Key,
        file: &str,
        description: &[(&str, String)],
        make: impl FnOnce(&Path, &Path) -> Result<(), Failure>,
    ) -> Result<Entry, Failure> {
        if let Some(found) = self.find(key, file) {
            return Ok(Entry::Stored(found));
        }
        let lock = self.lock(key);
        if let Some(found) = self.find(key, file) {
            return Ok(Entry::Stored(found));
        }
        if lock.is_some() {
            self.sweep(key);
        }
        let no_directory = |error| Failure::files("create a directory to compile in", error);
        let work = self
            .work_directory(&key.to_string())
            .map_err(no_directory)?;
        let made = made_in(work.path());
        fs::create_dir(&made).map_err(no_directory)?;
        make(work.path(), &made.join(file))?;
        date_back(&made.join(file));
        let stored = self.store(key, file, description, work.path());
        let found = stored.ok().and_then(|()| self.find(key, file));
        Ok(found.map_or(Entry::Loose(work, lock), Entry::Stored))
    }

    /// A new directory, in the cache if that can be written.
    pub(super) fn work_directory(&self, purpose: &str) -> io::Result<TempDir> {
        let prefix = format!("{purpose}.");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        let inside = self.root.as_ref().and_then(|root| {
            let parent = root.join("work");
            fs::create_dir_all(&parent).ok()?;
            builder.tempdir_in(parent).ok()
        });
        inside.map_or_else(|| builder.prefix("iree-dsl.").tempdir(), Ok)
    }

    /// The text of an entry, if there is a whole one.
    pub(super) fn recall(&self, key: &Key, file: &str) -> Option<String> {
        let shared = self.shared.as_ref();
        let shared = || shared.and_then(|shared| shared.find(key, file));
        fs::read_to_string(self.find(key, file).or_else(shared)?).ok()
    }

    /// Removes an entry, as far as nobody makes it just now.
    pub(super) fn forget(&self, key: &Key) {
        if let Some(shared) = &self.shared {
            // It stays, and misleads another build as it misled this one.
            let _ = shared.remove(&key.to_string());
        }
        if let Some(root) = &self.root {
            // What is left of it is no whole entry.
            let _ = fs::remove_dir_all(root.join(key.to_string()));
        }
    }

    /// The path of the file of an entry, if there is a whole one.
    pub(super) fn find(&self, key: &Key, file: &str) -> Option<PathBuf> {
        let entry = self.root.as_ref()?.join(key.to_string());
        let manifest = fs::read_to_string(entry.join(MANIFEST)).ok()?;
        let path = entry.join(file);
        let expected = header(key, file, &path).ok()?;
        manifest.starts_with(&expected).then_some(path)
    }

    /// Moves what was made in `work` to its place.
    fn store(
        &self,
        key: &Key,
        file: &str,
        description: &[(&str, String)],
        work: &Path,
    ) -> io::Result<()> {
        let root = self.root.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        let made = made_in(work);
        let mut manifest = header(key, file, &made.join(file))?;
        for (name, value) in description {
            // Writing to a `String` cannot fail.
            let _ = writeln!(manifest, "{name}: {value}");
        }
        fs::write(made.join(MANIFEST), manifest)?;
        let entry = root.join(key.to_string());
        if fs::rename(&made, &entry).is_err() {
            // Something is there, which `find` did not accept.
            fs::rename(&entry, work.join("damaged"))?;
            fs::rename(&made, &entry)?;
        }
        Ok(())
    }

    /// Waits until no other process makes this entry. Where files cannot be locked there is no
    /// waiting, and the work may be done twice.
    fn lock(&self, key: &Key) -> Option<Lock> {
        let directory = self.root.as_ref()?.join("locks");
        fs::create_dir_all(&directory).ok()?;
        Lock::wait(&directory.join(key.to_string()))
    }

    /// Removes what processes that were killed left of their work on this entry, and on any that nobody works
    /// on now. Their compilers may still run, which is why every attempt has a directory of its own.
    fn sweep(&self, key: &Key) {
        let Some(root) = &self.root else { return };
        let own = key.to_string();
        for left in fs::read_dir(root.join("work"))
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = left.file_name();
            let name = name.to_string_lossy();
            let Some((entry, _)) = name.split_once('.') else {
                continue;
            };
            let lock = root.join("locks").join(entry);
            let is_left = || lock.exists() && Lock::take(&lock).is_ok();
            if entry == own || is_left() {
                // What cannot be removed does no harm.
                let _ = fs::remove_dir_all(left.path());
            }
        }
    }
}

/// What was asked for.
enum Entry {
    /// In the cache.
    Stored(PathBuf),
    /// In a directory of its own, because the cache cannot be written. As long as the entry is locked, nobody
    /// sweeps it up.
    Loose(TempDir, Option<Lock>),
}

/// Makes a file older than any build. Cargo builds again what was made from a file that is newer than the beginning of
/// its build, which this one is; but it never changes.
fn date_back(path: &Path) {
    // The first second of 2010.
    let long_ago = UNIX_EPOCH + Duration::from_secs(1_262_304_000);
    let file = File::options().append(true).open(path);
    // Where it fails, something is built twice.
    let _ = file.and_then(|file| file.set_modified(long_ago));
}

/// The part of a work directory that becomes the entry.
fn made_in(work: &Path) -> PathBuf {
    work.join("made")
}

/// The start of the manifest of an entry that holds the file at `path`.
fn header(key: &Key, file: &str, path: &Path) -> io::Result<String> {
    let (size, hash) = key::hash_of_file(path)?;
    Ok(format!(
        "iree-dsl cache entry\nkey: {key}\nfile: {file}\nsize: {size}\nblake3: {hash}\n"
    ))
}
