//! The source of a program.

use super::Place;
use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// How many places of one operation are shown.
const SHOWN: usize = 4;

/// The files of the source, each read once.
pub(crate) struct Sources {
    root: PathBuf,
    files: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Sources {
    /// Files whose names are relative to a directory.
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            files: RefCell::default(),
        }
    }

    /// A line without what surrounds it; `None` if there is no such line.
    pub(crate) fn line(&self, place: &Place) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(place.file.clone()).or_insert_with(|| {
            let text = fs::read_to_string(self.root.join(&place.file)).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        });
        let line = lines.get(place.line.checked_sub(1)?)?.trim();
        Some(line.to_owned())
    }

    /// What is said of an operation that comes from some places: each of the first few, with its line.
    pub(crate) fn notes(&self, places: &[Place]) -> Vec<String> {
        let shown = places.iter().take(SHOWN).map(|place| {
            let line = self.line(place).unwrap_or_default();
            format!("{}:{}  {line}", place.file, place.line)
                .trim_end()
                .to_owned()
        });
        let mut notes: Vec<_> = shown.collect();
        if places.len() > SHOWN {
            notes.push(format!("and {} more", places.len() - SHOWN));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_with_their_places() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.rs"), "one\n  two\n").unwrap();
        let sources = Sources::new(folder.path());
        let place = |line| Place {
            file: "a.rs".to_owned(),
            line,
        };
        assert_eq!(
            sources.notes(&[place(2), place(9)]),
            ["a.rs:2  two", "a.rs:9"]
        );
        let many: Vec<_> = (1..=9).map(place).collect();
        assert_eq!(sources.notes(&many).last().unwrap(), "and 5 more");
    }
}
