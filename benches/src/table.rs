//! What is printed.

use crate::{contest::Row, statistics::geometric_mean};

/// The rows and their geometric mean, for people to read or as Markdown.
pub(crate) fn written(rows: &[Row], sides: &[&str], markdown: bool) -> String {
    let mut lines = vec![header(sides)];
    lines.extend(rows.iter().map(cells));
    lines.push(means(rows, sides.len()));
    match markdown {
        true => as_markdown(&lines),
        false => aligned(&lines),
    }
}

fn header(sides: &[&str]) -> Vec<String> {
    let mut cells = vec!["milliseconds a call".to_owned()];
    cells.extend(sides.iter().map(|side| (*side).to_owned()));
    cells.extend(sides.iter().skip(1).map(|side| format!("of {side}")));
    cells
}

fn cells(row: &Row) -> Vec<String> {
    let mut cells = vec![row.name.to_owned()];
    let times = row.times.iter();
    cells.extend(times.map(|time| time.map_or_else(missing, milliseconds)));
    let ratios = row.ratios.iter().skip(1);
    cells.extend(ratios.map(|ratio| ratio.map_or_else(missing, |ratio| format!("{ratio:.2}"))));
    cells
}

fn means(rows: &[Row], sides: usize) -> Vec<String> {
    let mut cells = vec!["geometric mean".to_owned()];
    cells.extend(vec![String::new(); sides]);
    for side in 1..sides {
        let ratios: Vec<_> = rows.iter().filter_map(|row| row.ratios[side]).collect();
        let mean = geometric_mean(&ratios);
        cells.push(mean.map_or_else(missing, |mean| format!("{mean:.2}")));
    }
    cells
}

fn missing() -> String {
    "–".to_owned()
}

/// Three digits that count.
fn milliseconds(time: f64) -> String {
    match time {
        ..1.0 => format!("{time:.3}"),
        1.0..10.0 => format!("{time:.2}"),
        _ => format!("{time:.1}"),
    }
}

fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    let line = |line: &Vec<String>| {
        let cells = line.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  "))
    };
    lines.iter().map(line).collect()
}

fn as_markdown(lines: &[Vec<String>]) -> String {
    let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = String::new();
    for (number, cells) in lines.iter().enumerate() {
        text.push_str(&line(cells));
        if number == 0 {
            let rule = cells.iter().enumerate().map(|(column, _)| match column {
                0 => "---",
                _ => "---:",
            });
            text.push_str(&format!("|{}|\n", rule.collect::<Vec<_>>().join("|")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["iree-dsl", "JAX", "candle", "ndarray"];

    fn rows() -> [Row; 2] {
        let row = |name, ours: f64| Row {
            name,
            times: vec![Some(ours), Some(2.0), None, Some(100.0)],
            ratios: vec![Some(1.0), Some(ours / 2.0), None, Some(ours / 100.0)],
        };
        [row("sum", 0.5), row("softmax", 8.0)]
    }

    #[test]
    fn columns_are_aligned() {
        let text = written(&rows(), &NAMES, false);
        let widths: Vec<_> = text.lines().map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
        assert!(text.contains("0.500"), "{text}");
        let last: Vec<_> = text.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(last, ["geometric", "mean", "1.00", "–", "0.02"]);
    }

    #[test]
    fn markdown_has_a_rule_below_the_header() {
        let text = written(&rows(), &NAMES, true);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[1], "|---|---:|---:|---:|---:|---:|---:|---:|");
        assert_eq!(
            lines[2],
            "| sum | 0.500 | 2.00 | – | 100.0 | 0.25 | – | 0.01 |"
        );
    }
}
