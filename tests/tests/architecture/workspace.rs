//! The Rust files of the workspace.

use crate::tokens;
use proc_macro2::TokenStream;
use std::{
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// A file of the workspace, as tokens.
pub(crate) struct Source {
    /// Where it is, from the root of the workspace.
    pub(crate) path: PathBuf,
    /// What is in it. Comments and the text of literals are not.
    pub(crate) tokens: TokenStream,
}

impl Source {
    /// `path:line` for each token that is the identifier `name`.
    pub(crate) fn places_of(&self, name: &str) -> Vec<String> {
        tokens::lines_of(&self.tokens, name)
            .iter()
            .map(|line| format!("{}:{line}", self.path.display()))
            .collect()
    }

    pub(crate) fn is_in(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.path.starts_with(folder))
    }
}

/// The folder that has the workspace's manifest.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Every Rust file below a folder of the workspace, in the order of their names.
pub(crate) fn sources(folder: &str) -> Vec<Source> {
    let found: Vec<_> = WalkDir::new(root().join(folder))
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || is_ours(entry))
        .map(|entry| entry.expect("the workspace can be read").into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| read(&path))
        .collect();
    assert!(!found.is_empty(), "there are no Rust files in `{folder}`");
    found
}

fn is_ours(entry: &walkdir::DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    // The programs in `ui` are there for their mistakes.
    !matches!(&*name, "target" | "ui") && !name.starts_with('.')
}

fn read(path: &Path) -> Source {
    let text = fs::read_to_string(path).expect("the file can be read");
    let tokens = text
        .parse()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let path = path.strip_prefix(root()).expect("a path below the root");
    Source {
        path: path.to_owned(),
        tokens,
    }
}
