//! Columns of text.

use crate::output::{self, say};
use anstyle::Style;

/// Lines whose columns stand below each other: texts to the left, numbers to the right.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    /// The columns that are texts, from the end.
    texts_at_end: usize,
}

impl Table {
    /// A table with these titles.
    pub(crate) fn new<const N: usize>(titles: [&str; N]) -> Self {
        Self {
            rows: vec![titles.map(str::to_owned).into()],
            texts_at_end: 0,
        }
    }

    /// So many columns at the end are texts, beside the first.
    pub(crate) fn texts_at_end(mut self, count: usize) -> Self {
        self.texts_at_end = count;
        self
    }

    /// Adds a line, with as many columns as there are titles.
    pub(crate) fn row<const N: usize>(&mut self, columns: [String; N]) {
        self.rows.push(columns.into());
    }

    /// Writes it to standard output. On a terminal, texts at the end of lines are cut where they would go on in the next.
    pub(crate) fn print(&self) {
        let dim = Style::new().dimmed();
        let room = (self.texts_at_end > 0).then(output::columns).flatten();
        for (index, line) in self.lines().enumerate() {
            let line = room.map_or_else(|| line.clone(), |room| cut(&line, room));
            match index {
                0 => say!("{dim}{line}{dim:#}"),
                _ => say!("{line}"),
            }
        }
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        let count = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(move |row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..count).map(width).collect();
        self.rows.iter().map(move |row| {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, width))| match column {
                0 => format!("{cell:<width$}"),
                _ if column + self.texts_at_end >= count => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            line.trim_end().to_owned()
        })
    }
}

/// The beginning of a line that is too long.
fn cut(line: &str, room: usize) -> String {
    match line.char_indices().nth(room) {
        Some(_) => {
            let kept = line.chars().take(room.saturating_sub(1));
            kept.chain(['…']).collect()
        }
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_end_with_dots() {
        assert_eq!(cut("5 µs", 4), "5 µs");
        assert_eq!(cut("5 µs", 3), "5 …");
        assert_eq!(cut("", 0), "");
    }

    #[test]
    fn columns_stand_below_each_other() {
        let mut table = Table::new(["", "median"]);
        table.row(["long name".to_owned(), "5 µs".to_owned()]);
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines, ["           median", "long name    5 µs"]);
        let lines: Vec<_> = table.texts_at_end(1).lines().collect();
        assert_eq!(lines, ["           median", "long name  5 µs"]);
    }
}
