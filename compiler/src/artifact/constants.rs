//! How many numbers a dispatch is told.
//!
//! IREE's devices load no dispatch that takes more than 64 numbers of 32 bits, such as sizes and the places of tensors
//! that share a buffer, but its compiler makes them. It counts what becomes such numbers, if it is asked to,
//! before it knows which are the same; only what it makes of the program for code generators says how many
//! they are.

use std::{ffi::OsString, path::Path};

/// The most numbers that a dispatch may be told.
pub(super) const MOST: usize = 64;

/// The file of statistics, in the directory that the compiler runs in.
const STATISTICS: &str = "statistics.csv";

/// The file with what code generators are given, in the same directory.
const SOURCES: &str = "sources.mlir";

/// Whether dispatches of a module may be told many numbers: only those with sizes that are not known while building
/// are told where their tensors are.
pub(super) fn may_be_many(module: &str) -> bool {
    module.contains("<?x") || module.contains("x?x")
}

/// Whether the user has the compiler write statistics, which it does once.
pub(super) fn are_counted(flags: &[String]) -> bool {
    let mut flags = flags.iter();
    flags.any(|flag| flag.starts_with("--iree-scheduling-dump-statistics"))
}

/// The arguments that have the compiler write statistics.
pub(super) fn counting() -> [OsString; 2] {
    [
        "--iree-scheduling-dump-statistics-format=csv".into(),
        format!("--iree-scheduling-dump-statistics-file={STATISTICS}").into(),
    ]
}

/// Whether, by the statistics, a dispatch may be told too many numbers.
pub(super) fn are_suspicious(directory: &Path) -> bool {
    let statistics = std::fs::read_to_string(directory.join(STATISTICS)).unwrap_or_default();
    statistics.lines().any(|line| most_of(line) > MOST)
}

/// How many numbers there are at most in a dispatch, by its line of the statistics: operands and resources, which
/// are the last two columns, each a number of 64 bits.
fn most_of(line: &str) -> usize {
    if !line.contains(r#","dispatch","#) {
        return 0;
    }
    let counts = line.rsplit(',').take(2).map(str::parse::<usize>);
    counts.map(Result::unwrap_or_default).sum::<usize>() * 2
}

/// The arguments that have the compiler stop at what code generators are given.
pub(super) fn sources() -> [OsString; 3] {
    let stop = "--compile-to=executable-sources".into();
    [stop, "-o".into(), SOURCES.into()]
}

/// The most numbers that a dispatch is told, by what code generators are given.
pub(super) fn most(directory: &Path) -> usize {
    let sources = std::fs::read_to_string(directory.join(SOURCES)).unwrap_or_default();
    let counts = sources.split("constants = ").skip(1).map(|rest| {
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
        digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
    });
    counts.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn statistics_tell_which_dispatches_to_look_at() {
        let directory = tempfile::tempdir().unwrap();
        assert!(!are_suspicious(directory.path()));
        let line = |numbers| {
            format!("\"Depth\",\"Command\"\n0,\"dispatch\",\"@a::@b\",,1,\"?;?\",{numbers}\n")
        };
        for (numbers, expected) in [
            ("1,31", false),
            ("1,32", true),
            ("40,2", true),
            (",", false),
        ] {
            fs::write(directory.path().join(STATISTICS), line(numbers)).unwrap();
            assert_eq!(are_suspicious(directory.path()), expected, "{numbers}");
        }
    }

    #[test]
    fn the_most_numbers_of_a_dispatch_are_counted() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(most(directory.path()), 0);
        let text = "#hal.pipeline.layout<constants = 6, bindings = []> layout<constants = 100, b>";
        fs::write(directory.path().join(SOURCES), text).unwrap();
        assert_eq!(most(directory.path()), 100);
    }
}
