//! What the sources and the registry say of each other.

use crate::registry::{self, Defect};
use libtest_mimic::Failed;
use std::{collections::BTreeMap, fs, path::Path};
use walkdir::{DirEntry, WalkDir};

/// What a comment blames, if it blames a version of IREE. In two parts, so that this file has it nowhere.
const BLAMED: &str = concat!("IREE ", "3.");

/// Places that speak of a version of IREE and name no entry, by folder and file. A list that only gets shorter.
const EXCEPTIONS: [(&str, usize); 31] = [
    // What a version has or does, and tests and examples of several defects.
    ("bytecode/layout.rs", 1),
    ("bytecode/mod.rs", 1),
    ("dispatch/mod.rs", 1),
    ("legalize/mod.rs", 1),
    ("legalize/pass.rs", 1),
    ("registers/mod.rs", 1),
    ("suite/accepted.rs", 1),
    ("tests/real.rs", 2),
    ("tests/refusals.rs", 1),
    // What no module shows yet on IREE alone.
    ("artifact/flags.rs", 1),
    ("artifact/ladder.rs", 1),
    ("dispatch/crosswise.rs", 1),
    ("dispatch/parts.rs", 1),
    ("dispatch/transposed.rs", 1),
    ("dispatch/views.rs", 1),
    ("ffi/buffer.rs", 1),
    ("ffi/profile.rs", 1),
    ("lower/branching.rs", 2),
    ("lower/contract.rs", 2),
    ("lower/control.rs", 4),
    ("lower/cumulate.rs", 1),
    ("lower/emit.rs", 2),
    ("legalize/fusion.rs", 2),
    ("lower/pad.rs", 1),
    ("lower/placement.rs", 1),
    ("lower/slice.rs", 1),
    ("decisions/starts.rs", 1),
    ("decisions/way.rs", 1),
    ("register/mod.rs", 1),
    ("buffers/update.rs", 2),
    ("expand/selection.rs", 1),
];

/// The files that a defect names are there, and one of them names it.
pub(crate) fn files_name(defect: &Defect) -> Result<(), Failed> {
    let name = format!("`{}`", defect.name);
    let mut is_named = false;
    for file in &defect.files {
        let text = fs::read_to_string(registry::root().join(file))
            .map_err(|error| format!("{}: {error}", file.display()))?;
        is_named |= text.contains(&name);
    }
    match is_named {
        true => Ok(()),
        false => Err(format!("none of {:?} names {name}", defect.files).into()),
    }
}

/// Comments that blame a version of IREE name an entry, and the entries that comments name are there.
pub(crate) fn name_entries() -> Result<(), Failed> {
    let names: Vec<_> = registry::all().into_iter().map(|it| it.name).collect();
    let mut without = BTreeMap::new();
    for file in rust_files() {
        let text = fs::read_to_string(&file)?;
        for comment in comments(&text) {
            let named = named(&comment);
            if let Some(unknown) = named
                .iter()
                .find(|name| !names.iter().any(|it| it == *name))
            {
                return Err(format!("{}: there is no defect `{unknown}`", file.display()).into());
            }
            if comment.contains(BLAMED) && named.is_empty() {
                *without.entry(place(&file)).or_insert(0) += 1;
            }
        }
    }
    let expected = EXCEPTIONS.map(|(place, count)| (place.to_owned(), count));
    match without == BTreeMap::from(expected) {
        true => Ok(()),
        false => Err(format!("places that name no entry of `defects`: {without:#?}").into()),
    }
}

/// A file with its folder, which stays the same where more of a path changes.
fn place(file: &Path) -> String {
    let names = file.components().map(|it| it.as_os_str().to_string_lossy());
    let names: Vec<_> = names.collect();
    names[names.len().saturating_sub(2)..].join("/")
}

fn rust_files() -> impl Iterator<Item = std::path::PathBuf> {
    let is_ours = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || (name != "target" && !name.starts_with('.'))
    };
    let files = WalkDir::new(registry::root()).into_iter();
    files
        .filter_entry(is_ours)
        .map(|entry| entry.expect("the workspace can be read").into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
}

/// Lines of comments that follow each other, put together.
fn comments(text: &str) -> Vec<String> {
    let mut comments = Vec::new();
    let mut comment = String::new();
    for line in text.lines().chain([""]) {
        match line.trim_start().strip_prefix("//") {
            Some(line) => {
                comment.push_str(line.trim_start_matches(['/', '!']));
            }
            None => comments.push(std::mem::take(&mut comment)),
        }
    }
    comments
}

/// The entries that a comment names, between backquotes up to the end of the sentence.
fn named(comment: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for behind in ["Defect `", "Defects `"]
        .iter()
        .flat_map(|it| comment.split(it).skip(1))
    {
        let sentence = behind.split('.').next().unwrap_or_default();
        names.extend(sentence.split('`').step_by(2));
    }
    names
}
