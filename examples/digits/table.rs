//! Tables of numbers with a label in the last column.

use crate::dataset::{CLASSES, FEATURES};
use anyhow::{Context, Result, bail, ensure};
use csv::{ReaderBuilder, StringRecord, Trim};
use ndarray::Array2;
use std::{collections::BTreeSet, fs, path::Path};

/// Below this there is nothing to hold out.
const FEWEST_ROWS: usize = 10;

/// What a classifier learns from.
#[derive(Debug)]
pub(crate) struct Table {
    /// One row for each row of the table, without the label.
    pub(crate) features: Array2<f32>,
    /// The place of each row's label in `classes`.
    pub(crate) labels: Vec<usize>,
    /// The different labels, in order.
    pub(crate) classes: Vec<String>,
}

impl Table {
    /// The handwritten digits that come with the examples.
    pub(crate) fn digits() -> Result<Self> {
        Self::parse(include_str!("../data/digits.csv")).context("digits.csv")
    }

    /// Reads a CSV file.
    ///
    /// # Errors
    ///
    /// The first cell, row or column that a classifier cannot learn from.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let name = || path.display().to_string();
        let text = fs::read_to_string(path).with_context(name)?;
        Self::parse(&text).with_context(name)
    }

    fn parse(text: &str) -> Result<Self> {
        let records = read_records(text)?;
        let header = records.first().filter(|first| is_header(first));
        let rows = &records[usize::from(header.is_some())..];
        ensure!(
            rows.len() >= FEWEST_ROWS,
            "there are {} rows; at least {FEWEST_ROWS} are needed",
            rows.len()
        );
        let columns = rows[0].len();
        check_columns(columns)?;
        let mut values = Vec::with_capacity(rows.len() * (columns - 1));
        for row in rows {
            read_features(row, columns, header, &mut values)?;
        }
        let features = Array2::from_shape_vec((rows.len(), columns - 1), values)?;
        let labels: Vec<_> = rows.iter().map(|row| &row[columns - 1]).collect();
        let classes = classes_of(&labels)?;
        let place = |label: &&str| classes.iter().position(|class| class == label);
        Ok(Self {
            features,
            labels: labels.iter().filter_map(place).collect(),
            classes,
        })
    }
}

fn read_records(text: &str) -> Result<Vec<StringRecord>> {
    // Rows of different lengths are reported by us, with the line.
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    reader
        .records()
        .collect::<Result<_, _>>()
        .context("this is not CSV")
}

/// Whether a row names the columns: none of its features is a number.
fn is_header(row: &StringRecord) -> bool {
    let features = row.len().saturating_sub(1);
    features > 0
        && row
            .iter()
            .take(features)
            .all(|cell| cell.parse::<f32>().is_err())
}

fn check_columns(columns: usize) -> Result<()> {
    ensure!(
        columns >= 2,
        "there is one column only; a row needs numbers, separated by commas, and a label at the end"
    );
    ensure!(
        columns - 1 <= FEATURES,
        "there are {} columns besides the label; the program takes at most {FEATURES}",
        columns - 1
    );
    Ok(())
}

fn read_features(
    row: &StringRecord,
    columns: usize,
    header: Option<&StringRecord>,
    values: &mut Vec<f32>,
) -> Result<()> {
    let line = row.position().map_or(0, csv::Position::line);
    ensure!(
        row.len() == columns,
        "line {line}: there are {} columns, but {columns} in the rows before",
        row.len()
    );
    for (index, cell) in row.iter().take(columns - 1).enumerate() {
        let name = header.and_then(|header| header.get(index));
        let name = name.map(|name| format!(" (`{name}`)")).unwrap_or_default();
        let place = format!("line {line}, column {}{name}", index + 1);
        match cell.parse::<f32>() {
            Ok(value) if value.is_finite() => values.push(value),
            Ok(_) => bail!("{place}: `{cell}` is not a finite number"),
            Err(_) if cell.is_empty() => bail!("{place}: there is no value"),
            Err(_) => bail!("{place}: `{cell}` is not a number"),
        }
    }
    ensure!(
        !row[columns - 1].is_empty(),
        "line {line}: there is no label in the last column"
    );
    Ok(())
}

/// The different labels: as numbers in the order of their values, as words in that of the alphabet.
fn classes_of(labels: &[&str]) -> Result<Vec<String>> {
    let mut classes: Vec<_> = BTreeSet::from_iter(labels).into_iter().collect();
    ensure!(
        classes.len() <= CLASSES,
        "the last column has {} different values; it must be a label, with at most {CLASSES}",
        classes.len()
    );
    ensure!(
        classes.len() >= 2,
        "every row has the label `{}`",
        labels[0]
    );
    let numbers: Option<Vec<f64>> = classes.iter().map(|class| class.parse().ok()).collect();
    if numbers.is_some() {
        classes.sort_by(|a, b| {
            let value = |class: &str| class.parse().unwrap_or(f64::NAN);
            value(a).total_cmp(&value(b))
        });
    }
    Ok(classes.into_iter().map(ToString::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Table::parse(text).unwrap_err().to_string()
    }

    /// Twelve rows of two numbers and a label.
    fn rows() -> Vec<String> {
        (0..12)
            .map(|row| format!("{row},{}.5,{}", 2 * row, ["cat", "dog"][row % 2]))
            .collect()
    }

    fn with_line(line: usize, text: &str) -> String {
        let mut rows = rows();
        rows[line - 1] = text.to_owned();
        rows.join("\n")
    }

    #[test]
    fn the_digits_are_complete() {
        let digits = Table::digits().unwrap();
        assert_eq!(digits.features.dim(), (1797, 64));
        assert_eq!(
            digits.classes,
            ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
        );
        assert_eq!(digits.labels[..3], [0, 1, 2]);
        assert!(
            digits
                .features
                .iter()
                .all(|pixel| (0.0..=16.0).contains(pixel))
        );
    }

    #[test]
    fn a_table_may_have_a_header() {
        let bare = Table::parse(&rows().join("\n")).unwrap();
        let named = Table::parse(&format!("height, width, kind\n{}", rows().join("\n"))).unwrap();
        assert_eq!(bare.features, named.features);
        assert_eq!(bare.classes, ["cat", "dog"]);
        assert_eq!(named.labels[..2], [0, 1]);
    }

    #[test]
    fn labels_that_are_numbers_are_ordered_as_such() {
        let rows: Vec<_> = (0..12)
            .map(|row| format!("{row},{}", [10, 9][row % 2]))
            .collect();
        assert_eq!(Table::parse(&rows.join("\n")).unwrap().classes, ["9", "10"]);
    }

    #[test]
    fn a_bad_cell_is_named() {
        assert_eq!(
            error(&with_line(3, "1,x,cat")),
            "line 3, column 2: `x` is not a number"
        );
        assert_eq!(
            error(&with_line(3, "1,,cat")),
            "line 3, column 2: there is no value"
        );
        assert_eq!(
            error(&with_line(3, "1,inf,cat")),
            "line 3, column 2: `inf` is not a finite number"
        );
        assert_eq!(
            error(&with_line(3, "1,2,")),
            "line 3: there is no label in the last column"
        );
        let named = format!("height,width,kind\n{}", with_line(3, "1,x,cat"));
        assert_eq!(
            error(&named),
            "line 4, column 2 (`width`): `x` is not a number"
        );
    }

    #[test]
    fn a_bad_row_is_named() {
        assert_eq!(
            error(&with_line(5, "1,2,3,cat")),
            "line 5: there are 4 columns, but 3 in the rows before"
        );
    }

    #[test]
    fn a_table_that_does_not_fit_is_refused() {
        assert_eq!(error(""), "there are 0 rows; at least 10 are needed");
        assert_eq!(
            error("1,2,cat\n"),
            "there are 1 rows; at least 10 are needed"
        );
        let one_column = "1\n".repeat(20);
        assert!(error(&one_column).starts_with("there is one column only"));
        let wide = format!("{}cat\n", "1,".repeat(65)).repeat(20);
        assert_eq!(
            error(&wide),
            "there are 65 columns besides the label; the program takes at most 64"
        );
        let unlabelled: String = (0..20).map(|row| format!("1,{row}\n")).collect();
        assert_eq!(
            error(&unlabelled),
            "the last column has 20 different values; it must be a label, with at most 10"
        );
        assert_eq!(
            error(&"1,cat\n".repeat(20)),
            "every row has the label `cat`"
        );
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Table::open(Path::new("no-such-file.csv")).unwrap_err();
        assert_eq!(error.to_string(), "no-such-file.csv");
    }
}
