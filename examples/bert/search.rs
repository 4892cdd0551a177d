//! What is searched, and the best of it.

use anyhow::{Context, Result, ensure};
use std::{fs, path::Path};

/// The lines of a file that say something.
pub(crate) struct Passages {
    pub(crate) texts: Vec<String>,
    /// Which lines they are, from 1 on.
    pub(crate) numbers: Vec<usize>,
}

impl Passages {
    pub(crate) fn read(file: &Path) -> Result<Self> {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let lines = text.lines().map(str::trim).zip(1..);
        let lines = lines.filter(|(line, _)| line.contains(char::is_alphanumeric));
        let (texts, numbers): (Vec<_>, _) = lines.map(|(line, at)| (line.to_owned(), at)).unzip();
        ensure!(!texts.is_empty(), "{}: there is no text", file.display());
        Ok(Self { texts, numbers })
    }
}

/// The places of the highest scores, highest first.
pub(crate) fn best(scores: &[f32], count: usize) -> Vec<usize> {
    let mut places: Vec<_> = (0..scores.len()).collect();
    places.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    places.truncate(count);
    places
}

#[test]
fn the_best_come_first() {
    assert_eq!(best(&[0.1, 0.9, -1.0, 0.5], 2), [1, 3]);
    assert_eq!(best(&[0.1], 5), [0]);
}
