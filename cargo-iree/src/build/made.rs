//! What a build made, whether now or earlier: cargo names the files, and next to each lies a list of what it was made from.

use crate::project::Project;
use anyhow::{Context, Result};
use cargo_metadata::{Artifact, Message, TargetKind};
use iree_abi::build::DESCRIPTION;
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// The descriptions of the programs that libraries, binaries, tests and examples embed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Made(BTreeSet<PathBuf>);

impl Made {
    /// Reads what cargo prints.
    ///
    /// # Errors
    ///
    /// If a list of what something was made from cannot be read.
    pub(super) fn read(printed: &[u8], project: &Project) -> Result<Self> {
        let packages = project.packages();
        let messages = Message::parse_stream(printed).map_while(Result::ok);
        let artifacts = messages.filter_map(|message| match message {
            Message::CompilerArtifact(artifact) => Some(artifact),
            _ => None,
        });
        let own = artifacts.filter(|artifact| {
            let is_script = artifact.target.kind.contains(&TargetKind::CustomBuild);
            !is_script
                && packages
                    .iter()
                    .any(|package| package.id == artifact.package_id)
        });
        let mut descriptions = BTreeSet::new();
        for list in own.filter_map(|artifact| list(&artifact)) {
            let text = fs::read_to_string(&list)
                .with_context(|| format!("cannot read `{}`", list.display()))?;
            let sources = sources(&text).into_iter().map(PathBuf::from);
            descriptions
                .extend(sources.filter(|path| path.file_name() == Some(OsStr::new(DESCRIPTION))));
        }
        Ok(Self(descriptions))
    }

    /// Where the descriptions are, each once.
    pub(crate) fn descriptions(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(PathBuf::as_path)
    }
}

/// The file that lists what an artifact was made from. That of a library has its name without `lib`, unless cargo made it.
fn list(artifact: &Artifact) -> Option<PathBuf> {
    let files = artifact.filenames.iter().map(|path| path.as_std_path());
    let candidates = files.flat_map(|file| {
        let own = file.with_extension("d");
        let name = own.file_name().unwrap_or_default().to_string_lossy();
        let without = name
            .strip_prefix("lib")
            .map(|name| own.with_file_name(name));
        [Some(own), without]
    });
    let mut candidates = candidates.flatten();
    candidates.find(|path| path.is_file())
}

/// The paths after the first colon that a space follows, in the form of a rule of make.
fn sources(text: &str) -> Vec<String> {
    let rule = text.lines().next().unwrap_or_default();
    let (_, sources) = rule.split_once(": ").unwrap_or_default();
    let mut paths = vec![String::new()];
    let mut characters = sources.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            ' ' => paths.push(String::new()),
            '\\' if characters.peek() == Some(&' ') => {
                characters.next();
                add(&mut paths, ' ');
            }
            other => add(&mut paths, other),
        }
    }
    paths.retain(|path| !path.is_empty());
    paths
}

fn add(paths: &mut [String], character: char) {
    if let Some(last) = paths.last_mut() {
        last.push(character);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_in_paths_are_told_from_those_between() {
        let text =
            "/a\\ b/target/debug/app: /a\\ b/src/main.rs  C:\\x\\y.rs\n\n/a b/src/main.rs:\n";
        assert_eq!(sources(text), ["/a b/src/main.rs", "C:\\x\\y.rs"]);
        assert_eq!(sources("app:\n"), [""; 0]);
        assert_eq!(sources(""), [""; 0]);
    }
}
