//! Brings the folder of the repository up to date with what a build left.

use super::{manifest::Manifest, mismatch::Mismatch, read::agree};
use crate::artifact::files::replace;
use std::{
    collections::BTreeSet,
    fmt, fs, io,
    path::{Path, PathBuf},
};

/// Keeps git from changing the ends of lines, which would change hashes.
const ATTRIBUTES: &[u8] = b"* -text\n";

/// Where a repository differs from what its sources are compiled to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The artifacts of a program are not what they should be.
    Program(String, Mismatch),
    /// A file that belongs to no program.
    LeftOver(PathBuf),
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(name, mismatch) => write!(formatter, "`{name}`: {mismatch}"),
            Self::LeftOver(path) => {
                write!(formatter, "`{}` belongs to no program", path.display())
            }
        }
    }
}

/// What of `folder` differs from what the build left in `expected`.
///
/// # Errors
///
/// What the file system reports.
pub fn compare(expected: &Path, folder: &Path) -> io::Result<Vec<Difference>> {
    let mut differences = Vec::new();
    let mut known = BTreeSet::new();
    for manifest in manifests(expected)? {
        let path = Manifest::path(folder, &manifest.program);
        let found = match Manifest::read(&path) {
            Ok(Some(found)) => {
                let wanted = found.files_for(&manifest);
                known.extend(wanted.map(|file| folder.join(&file.name)));
                agree(&manifest, &found, folder).map(drop)
            }
            Ok(None) => Err(Mismatch::Unreadable { path: path.clone() }),
            Err(_) => Err(Mismatch::Absent { path: path.clone() }),
        };
        known.insert(path);
        if let Err(mismatch) = found {
            differences.push(Difference::Program(manifest.program, mismatch));
        }
    }
    let left_over = files(folder)?.into_iter();
    let left_over = left_over.filter(|file| !known.contains(file));
    differences.extend(left_over.map(Difference::LeftOver));
    Ok(differences)
}

/// Makes `folder` hold what the build left in `made`, and nothing else. Each file is whole at every
/// moment, those that are right stay as they are, and what describes the others comes last. Returns the
/// files that were written and those that were removed.
///
/// # Errors
///
/// What the file system reports.
pub fn install(made: &Path, folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let (manifests, others): (Vec<_>, Vec<_>) =
        files(made)?.into_iter().partition(|file| is_manifest(file));
    let mut written = Vec::new();
    let mut kept = BTreeSet::new();
    for source in others.iter().chain(&manifests) {
        let Some(name) = source.file_name() else {
            continue;
        };
        let place = folder.join(name);
        if update(&place, &fs::read(source)?)? {
            written.push(place.clone());
        }
        kept.insert(place);
    }
    let removed = files(folder)?.into_iter();
    let removed: Vec<_> = removed.filter(|file| !kept.contains(file)).collect();
    removed.iter().try_for_each(fs::remove_file)?;
    match folder.parent() {
        Some(_) if kept.is_empty() && folder.exists() => fs::remove_dir(folder)?,
        Some(parent) if !kept.is_empty() => {
            update(&parent.join(".gitattributes"), ATTRIBUTES)?;
        }
        _ => {}
    }
    Ok((written, removed))
}

/// Writes a file that does not have this content yet; whether that was so.
fn update(path: &Path, content: &[u8]) -> io::Result<bool> {
    let outdated = !fs::read(path).is_ok_and(|old| old == content);
    if outdated {
        replace(path, content)?;
    }
    Ok(outdated)
}

fn manifests(folder: &Path) -> io::Result<Vec<Manifest>> {
    let files = files(folder)?.into_iter().filter(|file| is_manifest(file));
    let manifests: io::Result<Vec<_>> = files.map(|file| Manifest::read(&file)).collect();
    Ok(manifests?.into_iter().flatten().collect())
}

fn is_manifest(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension == "json")
}

/// The files in a folder, by name; none if it is not there.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut files: Vec<_> = paths?.into_iter().filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}
